//! The system clock: 50 MHz from the board's 8 MHz crystal, and clocks for the peripherals in use.
use crate::mmio::Register;
use corvid_firmware::profile::LM3S6965EVB;

/// Cycles per second.
pub(crate) const HZ: u32 = LM3S6965EVB.clock_mhz * 1_000_000;

const RIS: Register = Register::at(0x400F_E050);
const RCC: Register = Register::at(0x400F_E060);
const RCGC1: Register = Register::at(0x400F_E104);
const RCGC2: Register = Register::at(0x400F_E108);

const RIS_PLL_LOCKED: u32 = 1 << 6;
const RCC_MAIN_OSCILLATOR_OFF: u32 = 1 << 0;
const RCC_OSCILLATOR: u32 = 0b11 << 4;
const RCC_CRYSTAL: u32 = 0b1111 << 6;
const RCC_CRYSTAL_8_MHZ: u32 = 0xE << 6;
const RCC_BYPASS: u32 = 1 << 11;
const RCC_PLL_OUTPUT_OFF: u32 = 1 << 12;
const RCC_PLL_OFF: u32 = 1 << 13;
const RCC_USE_DIVIDER: u32 = 1 << 22;
const RCC_DIVIDER: u32 = 0b1111 << 23;
/// The PLL gives 200 MHz.
const RCC_DIVIDER_4: u32 = 3 << 23;

/// Sets the clock to [`HZ`] and switches on UART0, SSI0 and the ports A, C, D, E and F.
pub(crate) fn start() {
    let mut rcc = (RCC.read() | RCC_BYPASS) & !RCC_USE_DIVIDER;
    RCC.write(rcc);
    rcc &= !(RCC_MAIN_OSCILLATOR_OFF | RCC_OSCILLATOR | RCC_CRYSTAL);
    rcc = (rcc | RCC_CRYSTAL_8_MHZ) & !(RCC_PLL_OFF | RCC_PLL_OUTPUT_OFF);
    RCC.write(rcc);
    rcc = rcc & !RCC_DIVIDER | RCC_DIVIDER_4 | RCC_USE_DIVIDER;
    RCC.write(rcc);
    while RIS.read() & RIS_PLL_LOCKED == 0 {}
    RCC.write(rcc & !RCC_BYPASS);

    RCGC1.modify(|on| on | 1 << 0 | 1 << 4);
    RCGC2.modify(|on| on | 0b11_1101);
    // A peripheral may be used three cycles after its clock is enabled.
    cortex_m::asm::delay(3);
}
