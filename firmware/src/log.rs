//! Log macros that go to defmt when the feature is on and vanish when it is not.

macro_rules! info {
    ($($arg:tt)*) => {{
        #[cfg(feature = "defmt")]
        ::defmt::info!($($arg)*);
    }};
}

macro_rules! warn_ {
    ($($arg:tt)*) => {{
        #[cfg(feature = "defmt")]
        ::defmt::warn!($($arg)*);
    }};
}

pub(crate) use info;
pub(crate) use warn_ as warn;
