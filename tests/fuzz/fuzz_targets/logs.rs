#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| corvid_tests::fuzz::run("logs", data));
