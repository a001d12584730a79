//! Letting the worker hear its messages in the middle of a search.
//!
//! A worker that computes hears nothing. Where the browser can suspend WebAssembly (JavaScript
//! Promise Integration), `pause` returns when waiting messages have been handled; elsewhere it
//! returns at once, and the page ends a search by ending the worker.

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "./pause.js")]
unsafe extern "C" {
    /// Waits so many milliseconds, and in any case until waiting messages were handled.
    safe fn pause(millis: f64);
}

/// Waits so many milliseconds, and in any case until waiting messages were handled. There must be no
/// JavaScript between this and the exported function that is suspended.
#[cfg_attr(not(target_arch = "wasm32"), expect(clippy::missing_const_for_fn))]
pub(crate) fn for_millis(millis: f64) {
    #[cfg(target_arch = "wasm32")]
    pause(millis);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = millis;
}
