//! Leaving a technique out of a search: to measure what it saves, and to show that it changes no
//! exact value.
//!
//! All searches do it alike. A search has a struct `Techniques` of booleans, whose constant `ALL` is
//! what is played with; `Techniques { killers: false, ..Techniques::ALL }` is the search without
//! killer moves. Principal-variation search and the tree search of Blokus are given such a value.
//! The endgame search of Othello and the solver of Dots ask at every position, and more often than
//! they can afford on a small core: they are given a type that [`Uses`] a value, and the compiler
//! leaves the technique out.
//!
//! `cargo test -p corvid-games --lib saves -- --nocapture` prints what each technique saves.

/// A choice of techniques that is made when the search is compiled.
pub(crate) trait Uses<T> {
    /// The choice.
    const TECHNIQUES: T;
}

/// All techniques.
#[derive(Debug)]
pub(crate) struct Everything;

/// Declares types that use all of a module's `Techniques` but these.
#[cfg(test)]
macro_rules! without {
    ($($name:ident: $($technique:ident)+;)+) => {$(
        struct $name;

        impl $crate::search::ablation::Uses<Techniques> for $name {
            const TECHNIQUES: Techniques = {
                let mut techniques = Techniques::ALL;
                $(techniques.$technique = false;)+
                techniques
            };
        }
    )+};
}

#[cfg(test)]
pub(crate) use without;
