//! The worker's clock.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

/// Real time since the worker was started, in microseconds.
pub(crate) fn micros() -> u64 {
    (performance_now() * 1000.0) as u64
}
