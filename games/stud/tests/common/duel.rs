//! How two bots compare: duplicate deals, big bets per 100 deals, and how far
//! luck may have moved the number.

use parlor_kernel::{BotKind, Dice, Log, Player, Seat, Seed, laws, play_out};
use parlor_stud::{Rules, Stacks, Stud};

/// Two bots take every other seat, and every deck is dealt twice: the second
/// time each sits where the other sat. Everyone has 100 big bets at the
/// beginning of every deal.
pub struct Duel<'a> {
    /// The bots; what the first wins is measured.
    pub bots: [&'a BotKind<Stud>; 2],
    /// What is played, and for what stakes.
    pub rules: Rules,
    /// How many seats.
    pub seats: usize,
}

/// What the first bot of a duel wins in each of its seats, in big bets per 100
/// deals.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The mean over all decks.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub margin: f64,
}

impl Edge {
    /// The deals of one deck go together: only decks are independent, so the
    /// interval is theirs.
    pub fn over(decks: &[f64]) -> Edge {
        let count = decks.len() as f64;
        let mean = decks.iter().sum::<f64>() / count;
        let squares: f64 = decks.iter().map(|deck| (deck - mean).powi(2)).sum();
        Edge { mean, margin: 1.96 * (squares / (count - 1.0) / count).sqrt() }
    }
}

impl Duel<'_> {
    /// Plays so many decks, each twice, and says what each of them won.
    pub fn play(&self, decks: u32) -> Vec<f64> {
        let big_bet = self.rules.stakes.big_bet;
        let stacks = Stacks::Each(100 * big_bet);
        let rules = Rules { stacks, deals: Some(1), ..self.rules.clone() };
        let rate = |deck| {
            let won = self.deal(&rules, deck, 0) + self.deal(&rules, deck, 1);
            // In the two deals of a deck the first bot sits once in each seat.
            100.0 * won as f64 / f64::from(big_bet) / self.seats as f64
        };
        (0..decks).map(rate).collect()
    }

    /// The chips the first bot wins with this deck when it has every other
    /// seat from `first` on.
    fn deal(&self, rules: &Rules, deck: u32, first: usize) -> i64 {
        let seed = format!("duel/{deck}");
        let thinking = Dice::new(&Seed::named(&seed), "players");
        let seat = |place: usize| (self.bots[(place + first) % 2].make)();
        let mut players: Vec<Box<dyn Player<Stud>>> = (0..self.seats).map(seat).collect();
        let mut dice: Vec<_> =
            (0..self.seats).map(|place| thinking.stream(format_args!("bot/{place}"))).collect();
        let opening = laws::opening::<Stud>(rules, self.seats, &seed);
        let end = play_out(opening, &mut players, &mut dice, &mut Log::default());
        let won = |place: usize| {
            let player = end.board.player(Seat(place as u8));
            i64::from(player.stack) - i64::from(player.bought)
        };
        (first..self.seats).step_by(2).map(won).sum()
    }
}
