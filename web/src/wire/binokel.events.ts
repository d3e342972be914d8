// Written from the schemas of `binokel.events` by house/tests/wire_types.rs; not to be edited.

export type BidPlaced = {
  playerIndex: Seat;
  amount: number;
};

/** A multiple of ten in this range. */
export type BidRange = {
  minimum: number;
  maximum: number;
};

/** In what order seats bid. */
export type Bidding = "duel" | "round_robin";

export type BiddingWon = {
  playerIndex: Seat;
  winningBid: number;
  /** Only for those who may see it. */
  dabb?: Card[] | null;
};

/** A card, or the placeholder of one that is hidden. */
export type Card = {
  id: string;
  suit: Suit;
  rank: Rank;
  copy: number;
};

export type CardId = "kreuz-7-0" | "kreuz-7-1" | "kreuz-buabe-0" | "kreuz-buabe-1" | "kreuz-ober-0" | "kreuz-ober-1" | "kreuz-koenig-0" | "kreuz-koenig-1" | "kreuz-10-0" | "kreuz-10-1" | "kreuz-ass-0" | "kreuz-ass-1" | "schippe-7-0" | "schippe-7-1" | "schippe-buabe-0" | "schippe-buabe-1" | "schippe-ober-0" | "schippe-ober-1" | "schippe-koenig-0" | "schippe-koenig-1" | "schippe-10-0" | "schippe-10-1" | "schippe-ass-0" | "schippe-ass-1" | "herz-7-0" | "herz-7-1" | "herz-buabe-0" | "herz-buabe-1" | "herz-ober-0" | "herz-ober-1" | "herz-koenig-0" | "herz-koenig-1" | "herz-10-0" | "herz-10-1" | "herz-ass-0" | "herz-ass-1" | "bollen-7-0" | "bollen-7-1" | "bollen-buabe-0" | "bollen-buabe-1" | "bollen-ober-0" | "bollen-ober-1" | "bollen-koenig-0" | "bollen-koenig-1" | "bollen-10-0" | "bollen-10-1" | "bollen-ass-0" | "bollen-ass-1";

export type CardIds = CardId[];

export type CardPlayed = {
  playerIndex: Seat;
  card: Card;
};

export type CardsDealt = {
  hands: Hands;
  dabb: Card[];
};

export type CardsDiscarded = {
  playerIndex: Seat;
  discardedCards: string[];
};

/** Who sees the dabb when it is taken. */
export type DabbShown = "taker" | "all";

export type DabbTaken = {
  playerIndex: Seat;
  dabbCards: Card[];
};

/** So many of the hand's cards. */
export type Discard = {
  count: number;
};

export type EachSideScore = Record<string, unknown>;

export type Eachint32 = Record<string, unknown>;

export type Eachuint16 = Record<string, unknown>;

export type Eachuint8 = Record<string, unknown>;

/** Why the game is over. */
export type Ending = "TARGET_REACHED" | "ROUNDS_PLAYED";

/** Who leads to the first trick. */
export type FirstLead = "opener" | "declarer";

export type GameFinished = {
  /** A seat, or with four players a team. */
  winner: number;
  finalScores: Eachint32;
  /** ＋ Why it is over. */
  reason: Ending;
  /** ＋ What the commitment was to. */
  seed: SeedOpening;
};

export type GameStarted = {
  playerCount: number;
  /** None where the game ends after fixed rounds. */
  targetScore: number | null;
  dealer: Seat;
  /** ＋ The house rules in full. */
  rules: Rules;
  /** ＋ The commitment to the seed. */
  seedCommitment: string;
};

export type GameTerminated = {
  /** The seat that left; null if the house called the game off. */
  terminatedBy: Seat | null;
  reason: string;
  /** ＋ What the commitment was to. */
  seed: SeedOpening;
};

export type GoingOut = {
  playerIndex: Seat;
  suit: Suit;
};

/** Each seat's hand, by seat. */
export type Hands = Record<string, Card[]>;

/** What the viewer may do now; what is null or false it may not. */
export type May = {
  bid: BidRange | null;
  pass: boolean;
  takeDabb: boolean;
  discard: Discard | null;
  goOut: Suit[] | null;
  declareTrump: Suit[] | null;
  announce: Special[] | null;
  declareMelds: boolean;
  playCard: CardIds | null;
  exit: boolean;
};

export type Meld = {
  type: MeldKind;
  cards: CardIds;
  points: number;
  suit?: Suit | null;
};

/** A kind of meld. */
export type MeldKind = "paar" | "familie" | "doppel-familie" | "trump-sieben" | "binokel" | "doppel-binokel" | "vier-ass" | "vier-koenig" | "vier-ober" | "vier-unter" | "acht-ass" | "acht-koenig" | "acht-ober" | "acht-unter";

export type MeldingComplete = {
  meldScores: Eachuint16;
};

export type Melds = {
  melds: Meld[];
  totalPoints: number;
};

export type MeldsDeclared = {
  playerIndex: Seat;
  melds: Meld[];
  totalPoints: number;
};

export type NewRoundStarted = {
  round: number;
  dealer: Seat;
};

export type Params = {
  reason: string;
};

export type PlayedCard = {
  playerIndex: Seat;
  card: Card;
};

export type PlayerJoined = {
  playerId: string;
  playerIndex: Seat;
  nickname: string;
  team?: number | null;
  /** ＋ Whether a bot sits there. */
  isAI: boolean;
};

export type PlayerPassed = {
  playerIndex: Seat;
};

/** A rank, low to high: the ten outranks the king. */
export type Rank = "7" | "buabe" | "ober" | "koenig" | "10" | "ass";

/** The round under way. */
export type Round = {
  round: number;
  dealer: Seat;
  /** Whom the table waits for. */
  awaiting: Seat[];
  /** Each hand, as far as the viewer knows it. */
  hands: Hands;
  /** The dabb, until it is taken. */
  dabb: Card[];
  /** What was laid away. */
  discardedCards: string[];
  /** The highest bid; null while there is none. */
  bid: number | null;
  /** Whose it is. */
  bidder: Seat | null;
  passed: Seat[];
  trump: Suit | null;
  /** The game announced in place of trump. */
  special: Special | null;
  goingOut: boolean;
  /** What each seat laid out; null for those who have not melded. */
  melds: (Melds | null)[];
  trick: Trick;
  lastTrick: Trick | null;
  /** How many tricks each seat has won. */
  tricks: Eachuint8;
  /** What they count. */
  tricksPoints: Eachuint16;
};

export type RoundScored = {
  scores: EachSideScore;
  totalScores: Eachint32;
};

/** A round is scored, side by side. */
export type RoundScoredInSNAPSHOT = {
  /** The round. */
  scores: EachSideScore;
  /** The game so far. */
  totalScores: Eachint32;
};

/** The house rules of one table. */
export type Rules = {
  /** The game ends when a total reaches this. */
  target: number | null;
  /** The game ends after this many rounds. */
  rounds: number | null;
  /** The lowest bid. */
  minimum_bid: number;
  /** In what order seats bid. */
  bidding: Bidding;
  /** The opener may pass although nobody has bid. */
  opener_may_pass: boolean;
  /** How many cards lie in the dabb; none: six with two players, else four. */
  dabb_size: number | null;
  /** Who sees the dabb when it is taken. */
  dabb_shown: DabbShown;
  /** Trump is named before cards are laid away. */
  trump_first: boolean;
  /** Trumps that are laid away are shown. */
  buried_trumps_shown: boolean;
  /** What each opponent of one who goes out is given. */
  going_out_bonus: number;
  /** Eight of a kind is a meld of its own. */
  acht_gleiche: boolean;
  /** Who leads to the first trick. */
  first_lead: FirstLead;
  /** While the partner holds the trick, following suit is enough. */
  partner_exemption: boolean;
  /** Play with sevens: 48 cards. */
  sevens: boolean;
  /** A Durch may be announced. Logs from before there was one are silent. */
  durch: boolean;
  /** A Bettel may be announced. */
  bettel: boolean;
  /** Seconds a player may think; 0: no clock. None runs against bots only. */
  turn_seconds: number;
  /** Both families of a suit are a meld of their own. What follows is not written where it is off, as in logs from before there was any. */
  doppel_familie?: boolean;
  /** A trump seven is a meld. */
  trump_sieben?: boolean;
  /** A bot plays for a person who is away for so many seconds; 0: nobody does. */
  takeover?: number;
  /** The game is called off once nobody has bid in so many deals; 0: never. */
  thrown_in?: number;
};

/** A place at the table, counted from 0 in seating order. */
export type Seat = number;

/** What the last event shows: enough to recompute the commitment and every draw of the game. */
export type SeedOpening = {
  /** The seed, as 64 hexadecimal digits. */
  seed: string;
  /** The salt, as 64 hexadecimal digits. */
  salt: string;
  /** What the dice were keyed with, where it was not the game's id. */
  scope?: string | null;
};

/** What one side scores in a round. */
export type SideScore = {
  /** Its melds; 0 where they are void. */
  melds: number;
  /** What it took in tricks and laid away, rounded to tens. */
  tricks: number;
  /** What is added to its total. Bids are at most 10,000, so this fits. */
  total: number;
  /** Whether the declarer's side made its bid, or the game it announced; the others always have. */
  bidMet: boolean;
};

/** ＋ Where things stand. */
export type Snapshot = {
  /** The position this reflects. */
  lastEventSequence: number;
  /** Whose view this is; null for spectators. */
  playerIndex: Seat | null;
  /** waiting, bidding, dabb, trump, melding, tricks, finished or terminated. */
  phase: string;
  /** The rest is null before the game begins. */
  table: Table | null;
  round: Round | null;
  /** How the last round was scored. */
  lastRound: RoundScoredInSNAPSHOT | null;
  /** The game so far, by seat, or by team with four players. */
  totalScores: Eachint32;
  /** What the viewer may do now. */
  may: May;
  finished: GameFinished | null;
  terminated: GameTerminated | null;
  /** What is left on the clock of whoever is awaited, where one runs. */
  secondsLeft: number | null;
};

/** A game announced in place of trump. */
export type Special = "durch" | "bettel";

/** ＋ A game without trump and melds, where the house plays it. */
export type SpecialAnnounced = {
  playerIndex: Seat;
  special: Special;
};

/** A suit, in the order hands are sorted by. */
export type Suit = "kreuz" | "schippe" | "herz" | "bollen";

export type Table = {
  playerCount: number;
  players: PlayerJoined[];
  targetScore: number | null;
  rules: Rules;
  seedCommitment: string;
};

export type Trick = {
  leaderIndex: Seat;
  cards: PlayedCard[];
  /** Who holds or won it; null while nobody has played. */
  winnerIndex: Seat | null;
};

export type TrickWon = {
  winnerIndex: Seat;
  cards: Card[];
  /** The last trick's ten included. */
  points: number;
};

export type TrumpDeclared = {
  playerIndex: Seat;
  suit: Suit;
};

/** An event on the wire. */
export type PLAYER_JOINED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "PLAYER_JOINED";
  payload: PlayerJoined;
};

/** An event on the wire. */
export type GAME_STARTED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "GAME_STARTED";
  payload: GameStarted;
};

/** An event on the wire. */
export type CARDS_DEALT = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "CARDS_DEALT";
  payload: CardsDealt;
};

/** An event on the wire. */
export type BID_PLACED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "BID_PLACED";
  payload: BidPlaced;
};

/** An event on the wire. */
export type PLAYER_PASSED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "PLAYER_PASSED";
  payload: PlayerPassed;
};

/** An event on the wire. */
export type BIDDING_WON = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "BIDDING_WON";
  payload: BiddingWon;
};

/** An event on the wire. */
export type DABB_TAKEN = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "DABB_TAKEN";
  payload: DabbTaken;
};

/** An event on the wire. */
export type CARDS_DISCARDED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "CARDS_DISCARDED";
  payload: CardsDiscarded;
};

/** An event on the wire. */
export type GOING_OUT = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "GOING_OUT";
  payload: GoingOut;
};

/** An event on the wire. */
export type TRUMP_DECLARED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "TRUMP_DECLARED";
  payload: TrumpDeclared;
};

/** An event on the wire. */
export type SPECIAL_ANNOUNCED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "SPECIAL_ANNOUNCED";
  payload: SpecialAnnounced;
};

/** An event on the wire. */
export type MELDS_DECLARED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "MELDS_DECLARED";
  payload: MeldsDeclared;
};

/** An event on the wire. */
export type MELDING_COMPLETE = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "MELDING_COMPLETE";
  payload: MeldingComplete;
};

/** An event on the wire. */
export type CARD_PLAYED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "CARD_PLAYED";
  payload: CardPlayed;
};

/** An event on the wire. */
export type TRICK_WON = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "TRICK_WON";
  payload: TrickWon;
};

/** An event on the wire. */
export type ROUND_SCORED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "ROUND_SCORED";
  payload: RoundScored;
};

/** An event on the wire. */
export type NEW_ROUND_STARTED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "NEW_ROUND_STARTED";
  payload: NewRoundStarted;
};

/** An event on the wire. */
export type GAME_FINISHED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "GAME_FINISHED";
  payload: GameFinished;
};

/** An event on the wire. */
export type GAME_TERMINATED = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "GAME_TERMINATED";
  payload: GameTerminated;
};

/** An event on the wire. */
export type SNAPSHOT = {
  id: string;
  sessionId: string;
  /** 1, 2, 3 … in the viewer's own view. */
  sequence: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  type: "SNAPSHOT";
  payload: Snapshot;
};

/** A refusal. It is no part of the stream. */
export type error = {
  type: "error";
  message: string;
  code: string;
  params?: Params | null;
};

/** A player came, went away or came back. It is no part of the stream. */
export type player_joined = {
  type: "player:joined";
  playerIndex: Seat;
  nickname: string;
  /** ＋ Whether a bot sits there. */
  isAI: boolean;
  /** ＋ When, in milliseconds since 1970. */
  timestamp: number;
};

/** A player came, went away or came back. It is no part of the stream. */
export type player_left = {
  type: "player:left";
  playerIndex: Seat;
  nickname: string;
  /** ＋ Whether a bot sits there. */
  isAI: boolean;
  /** ＋ When, in milliseconds since 1970. */
  timestamp: number;
};

/** A player came, went away or came back. It is no part of the stream. */
export type player_reconnected = {
  type: "player:reconnected";
  playerIndex: Seat;
  nickname: string;
  /** ＋ Whether a bot sits there. */
  isAI: boolean;
  /** ＋ When, in milliseconds since 1970. */
  timestamp: number;
};

/** A player came, went away or came back. It is no part of the stream. */
export type player_substituted = {
  type: "player:substituted";
  playerIndex: Seat;
  nickname: string;
  /** ＋ Whether a bot sits there. */
  isAI: boolean;
  /** ＋ When, in milliseconds since 1970. */
  timestamp: number;
};

export type game_bid = {
  event: "game:bid";
  data: {
    amount: number;
  };
};

export type game_pass = {
  event: "game:pass";
};

export type game_takeDabb = {
  event: "game:takeDabb";
};

export type game_discard = {
  event: "game:discard";
  data: {
    cardIds: ("kreuz-7-0" | "kreuz-7-1" | "kreuz-buabe-0" | "kreuz-buabe-1" | "kreuz-ober-0" | "kreuz-ober-1" | "kreuz-koenig-0" | "kreuz-koenig-1" | "kreuz-10-0" | "kreuz-10-1" | "kreuz-ass-0" | "kreuz-ass-1" | "schippe-7-0" | "schippe-7-1" | "schippe-buabe-0" | "schippe-buabe-1" | "schippe-ober-0" | "schippe-ober-1" | "schippe-koenig-0" | "schippe-koenig-1" | "schippe-10-0" | "schippe-10-1" | "schippe-ass-0" | "schippe-ass-1" | "herz-7-0" | "herz-7-1" | "herz-buabe-0" | "herz-buabe-1" | "herz-ober-0" | "herz-ober-1" | "herz-koenig-0" | "herz-koenig-1" | "herz-10-0" | "herz-10-1" | "herz-ass-0" | "herz-ass-1" | "bollen-7-0" | "bollen-7-1" | "bollen-buabe-0" | "bollen-buabe-1" | "bollen-ober-0" | "bollen-ober-1" | "bollen-koenig-0" | "bollen-koenig-1" | "bollen-10-0" | "bollen-10-1" | "bollen-ass-0" | "bollen-ass-1")[];
  };
};

export type game_goOut = {
  event: "game:goOut";
  data: {
    suit: "kreuz" | "schippe" | "herz" | "bollen";
  };
};

export type game_declareTrump = {
  event: "game:declareTrump";
  data: {
    suit: "kreuz" | "schippe" | "herz" | "bollen";
  };
};

export type game_announce = {
  event: "game:announce";
  data: {
    special: "durch" | "bettel";
  };
};

export type game_declareMelds = {
  event: "game:declareMelds";
  data: {
    melds: unknown[];
  };
};

export type game_playCard = {
  event: "game:playCard";
  data: {
    cardId: "kreuz-7-0" | "kreuz-7-1" | "kreuz-buabe-0" | "kreuz-buabe-1" | "kreuz-ober-0" | "kreuz-ober-1" | "kreuz-koenig-0" | "kreuz-koenig-1" | "kreuz-10-0" | "kreuz-10-1" | "kreuz-ass-0" | "kreuz-ass-1" | "schippe-7-0" | "schippe-7-1" | "schippe-buabe-0" | "schippe-buabe-1" | "schippe-ober-0" | "schippe-ober-1" | "schippe-koenig-0" | "schippe-koenig-1" | "schippe-10-0" | "schippe-10-1" | "schippe-ass-0" | "schippe-ass-1" | "herz-7-0" | "herz-7-1" | "herz-buabe-0" | "herz-buabe-1" | "herz-ober-0" | "herz-ober-1" | "herz-koenig-0" | "herz-koenig-1" | "herz-10-0" | "herz-10-1" | "herz-ass-0" | "herz-ass-1" | "bollen-7-0" | "bollen-7-1" | "bollen-buabe-0" | "bollen-buabe-1" | "bollen-ober-0" | "bollen-ober-1" | "bollen-koenig-0" | "bollen-koenig-1" | "bollen-10-0" | "bollen-10-1" | "bollen-ass-0" | "bollen-ass-1";
  };
};

export type game_exit = {
  event: "game:exit";
};

export type Event = PLAYER_JOINED | GAME_STARTED | CARDS_DEALT | BID_PLACED | PLAYER_PASSED | BIDDING_WON | DABB_TAKEN | CARDS_DISCARDED | GOING_OUT | TRUMP_DECLARED | SPECIAL_ANNOUNCED | MELDS_DECLARED | MELDING_COMPLETE | CARD_PLAYED | TRICK_WON | ROUND_SCORED | NEW_ROUND_STARTED | GAME_FINISHED | GAME_TERMINATED | SNAPSHOT | error | player_joined | player_left | player_reconnected | player_substituted;

export type Command = game_bid | game_pass | game_takeDabb | game_discard | game_goOut | game_declareTrump | game_announce | game_declareMelds | game_playCard | game_exit;
