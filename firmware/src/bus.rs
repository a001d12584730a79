//! An I2C bus that survives a hung transfer.
use embedded_hal_async::i2c::{ErrorType, I2c, Operation};

/// A bus whose controller is set up again after an abandoned transfer.
/// A transfer that does not end, because a device holds the clock line, is dropped by its caller.
/// The controller is then left in the middle of it and would take its end for that of the next
/// transfer.
#[derive(Debug)]
pub struct Renewed<B> {
    /// `None` before the first transfer.
    controller: Option<B>,
    make: fn() -> B,
    given_up: bool,
}

impl<B> Renewed<B> {
    /// A bus whose controller `make` sets up. There is never more than one at a time: the old one is
    /// dropped before the next is made.
    pub const fn new(make: fn() -> B) -> Self {
        Self { controller: None, make, given_up: false }
    }
}

impl<B: ErrorType> ErrorType for Renewed<B> {
    type Error = B::Error;
}

impl<B: I2c> I2c for Renewed<B> {
    async fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), B::Error> {
        if self.given_up {
            self.controller = None;
        }
        // Remains set if this future is dropped at the await.
        self.given_up = true;
        let controller = self.controller.get_or_insert_with(self.make);
        let done = controller.transaction(address, operations).await;
        self.given_up = false;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::future::pending;
    use embassy_futures::{block_on, poll_once};
    use std::cell::Cell;

    thread_local! {
        /// Controllers made so far, and those alive.
        static MADE: Cell<u32> = const { Cell::new(0) };
        static ALIVE: Cell<u32> = const { Cell::new(0) };
    }

    /// A controller on a bus whose clock line is held for address 0; address 1 answers with an
    /// error.
    struct Controller;

    impl Controller {
        fn new() -> Self {
            MADE.set(MADE.get() + 1);
            ALIVE.set(ALIVE.get() + 1);
            assert_eq!(ALIVE.get(), 1, "the old controller still has the pins");
            Self
        }
    }

    impl Drop for Controller {
        fn drop(&mut self) {
            ALIVE.set(ALIVE.get() - 1);
        }
    }

    impl ErrorType for Controller {
        type Error = embedded_hal::i2c::ErrorKind;
    }

    impl I2c for Controller {
        async fn transaction(
            &mut self,
            address: u8,
            _: &mut [Operation<'_>],
        ) -> Result<(), Self::Error> {
            match address {
                0 => pending().await,
                1 => Err(embedded_hal::i2c::ErrorKind::Bus),
                _ => Ok(()),
            }
        }
    }

    #[test]
    fn only_a_transfer_that_was_given_up_renews_the_controller() {
        let mut bus = Renewed::new(Controller::new);
        assert_eq!(block_on(bus.write(2, &[1])), Ok(()));
        assert!(block_on(bus.write(1, &[1])).is_err());
        assert_eq!(block_on(bus.write(2, &[1])), Ok(()));
        assert_eq!(MADE.get(), 1, "an error ends a transfer too");

        assert!(poll_once(bus.write(0, &[1])).is_pending());
        assert_eq!(block_on(bus.write(2, &[1])), Ok(()));
        assert_eq!(MADE.get(), 2);
        assert_eq!(block_on(bus.write(2, &[1])), Ok(()));
        assert_eq!(MADE.get(), 2);
    }
}
