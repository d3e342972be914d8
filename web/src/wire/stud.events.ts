// Written from the schemas of `stud.events` by house/tests/wire_types.rs; not to be edited.

export type ActionTold = {
  seat: Seat;
  type: string;
};

export type Card = string;

/** A deal's end as it is written, below the seat and the street: hands with their names. */
export type DealEnd = {
  /** Who won uncontested; null where hands were compared. */
  seat: Seat | null;
  street: Street | null;
  /** What was played. */
  variant: Variant;
  /** The hands shown, in the order they were. */
  shown: ShownTold[];
  /** The pots, main pot first. */
  pots: Pot[];
  /** What each stack won or lost in this deal. */
  change: number[];
  /** The stacks after it. */
  stacks: number[];
};

/** One more card for one seat. */
export type DealtCard = {
  /** Whose. */
  seat: Seat;
  /** The card; null for those who may not see it. */
  card: Card | null;
};

/** Two down cards and the door card of one seat. */
export type DealtThree = {
  /** Whose. */
  seat: Seat;
  /** The down cards; null for those who may not see them. */
  down: [Card | null, Card | null];
  /** The door card. */
  up: Card;
};

/** Why the match is over. */
export type Ending = "DEALS_PLAYED" | "LAST_STACK" | "TOO_FEW_PLAYERS" | "CLAIMED" | "CALLED_OFF";

/** The match is over. */
export type GameFinished = {
  /** Why. */
  reason: Ending;
  /** What was said when it was called off. */
  note: string | null;
  /** The final stacks; a deal that was called off is paid back. */
  stacks: number[];
  /** What each seat won or lost: its stack without what it bought. */
  won: number[];
  /** Who won most; nobody if all are equal. */
  winners: Seats;
  /** Opens the seal on the seed; null where hands stay closed for good. */
  opening: SeedOpening | null;
};

/** Who is asked, and what they may do. */
export type Next = {
  seat: Seat;
  /** Legal actions with their chips. */
  legal: Offer[];
  /** Null where no clock runs. */
  timeoutSeconds: number | null;
};

/** A legal action with its chips. */
export type Offer = {
  /** What may be done. */
  type: string;
  /** The nominal amount of the contract. */
  amount: number;
  /** What would leave the stack. */
  paid: number;
};

/** A seat, with what this viewer knows of its cards. */
export type PlayerTold = {
  stack: number;
  /** Whether the seat is still in the deal. */
  active: boolean;
  committedTotal: number;
  committedThisStreet: number;
  /** ＋ */
  seat: Seat;
  /** ＋ */
  playerId: string;
  /** ＋ */
  name: string;
  /** ＋ */
  isBot: boolean;
  /** ＋ Up cards, third street first. */
  up: Card[];
  /** ＋ Down cards; null for those this viewer does not know. */
  down: (Card | null)[];
  /** ＋ The last thing this seat did in this deal. */
  lastAction: string | null;
  /** ＋ Whether the seat was dealt in. */
  dealtIn: boolean;
  /** ＋ Whether it sits out from the next deal on. */
  sittingOut: boolean;
  /** ＋ Time-outs in a row. */
  timeOuts: number;
  /** ＋ Seconds left in its time bank. */
  timeBank: number;
  /** ＋ Chips it brought to the table, rebuys included. */
  bought: number;
};

/** Which variants a match plays. */
export type Playing = "studHi" | "razz" | "stud8" | "mixed";

/** A pot and who won it. */
export type Pot = {
  /** Its chips. */
  amount: number;
  /** Who plays for it; a single seat gets its own chips back. */
  seats: Seats;
  /** Who has the best high hand; nobody in razz. */
  high: Seats;
  /** Who has the best low, in razz and where a low qualifies. */
  low: Seats;
};

/** Limits that come later. */
export type Rise = {
  /** The first deal they hold for. */
  deal: number;
  stakes: Stakes;
};

/** The house rules of one table. */
export type Rules = {
  /** Which variants are played. */
  variant: Playing;
  /** The variants of a mixed game, in turn. */
  rotation: Variant[];
  /** How many deals a mixed game stays with one variant. */
  rotationDeals: number;
  /** The limits. */
  stakes: Stakes;
  /** The chips at the beginning. */
  stacks: Stacks;
  /** The match ends after this many deals. */
  deals: number | null;
  /** The match ends when one stack is left. */
  lastStack: boolean;
  /** What a seat without chips may buy (play money); none: nothing. */
  rebuy: number | null;
  /** How many raises may follow the opening bet of a street. */
  cap: number;
  /** A later hand that cannot win stays closed. */
  muck: boolean;
  /** Seconds for a decision; 0: no clock. None runs against bots only. */
  turnSeconds: number;
  /** Seconds each seat has beyond that, for the whole match. */
  timeBank: number;
  /** Which rulings are followed. What was written before there were several does not say, and is of the first. */
  edition?: number;
  /** A seat sits out after so many time-outs in a row; 0: never. */
  sitOutAfter?: number;
  /** A seat that sits out is dealt in all the same: it antes and folds. */
  absentAnte?: boolean;
  /** The match ends when fewer than two want to play for so many seconds; 0: it waits for ever. */
  waitSeconds?: number;
  /** How the stakes rise; none: they do not. */
  schedule?: Schedule | null;
};

/** How the stakes of a match rise. */
export type Schedule = {
  /** How many deals each level lasts, the first of them at the table's stakes. */
  every: number;
  /** The levels that follow; the last one stays. */
  levels: Stakes[];
};

/** A place at the table, counted from 0 in seating order. */
export type Seat = number;

export type Seats = number[];

/** What the last event shows: enough to recompute the commitment and every draw of the game. */
export type SeedOpening = {
  /** The seed, as 64 hexadecimal digits. */
  seed: string;
  /** The salt, as 64 hexadecimal digits. */
  salt: string;
  /** What the dice were keyed with, where it was not the game's id. */
  scope?: string | null;
};

/** A hand laid open, with its name. */
export type ShownTold = {
  seat: Seat;
  /** Two down, four up, one down. */
  cards: Card[];
  /** What it is called in the high order; null in razz. */
  high: string | null;
  /** What it is called as a low; null where none counts. */
  low: string | null;
};

export type Sitting = {
  seat: Seat;
  playerId: string;
  name: string;
  isBot: boolean;
};

/** The chips the seats begin with. */
export type Stacks = number | number[];

/** Where the match stands. */
export type StageTold = "UNOPENED" | "DEALING" | "BETWEEN_DEALS" | "FINISHED";

/** The fixed limits of a table. */
export type Stakes = {
  /** What everyone pays before the cards. */
  ante: number;
  /** What the low card pays on third street. */
  bringIn: number;
  /** The bet on third and fourth street. */
  smallBet: number;
  /** The bet from fifth street on. */
  bigBet: number;
};

/** A round of betting, named after the card it follows. */
export type Street = "3rd" | "4th" | "5th" | "6th" | "7th";

/** The down cards of one seat, turned up. */
export type TurnedUp = {
  /** Whose. */
  seat: Seat;
  /** The down cards. */
  down: [Card, Card];
};

/** What is played for in one deal. */
export type Variant = "studHi" | "razz" | "stud8";

/** An event: the contract's head, the body of its type, and who is asked next. */
export type GAME_STARTED = {
  id: string;
  type: "GAME_STARTED";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  gameId: string;
  players: Sitting[];
  rules: Rules;
  /** GAME_FINISHED opens it, unless hands stay closed for good. */
  seedCommitment: string;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_STARTED = {
  id: string;
  type: "DEAL_STARTED";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Which deal of the match, from 1. */
  deal: number;
  variant: Variant;
  stakes: Stakes;
  /** Who is dealt in. */
  seats: Seats;
  /** Every stack, dealt in or not. */
  stacks: number[];
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_INIT = {
  id: string;
  type: "DEAL_INIT";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Null for all but those who see all. */
  deck: Card[] | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type POST_ANTE = {
  id: string;
  type: "POST_ANTE";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Nominal, as the contract defines it for this type. */
  amount: number;
  /** ＋ What left the stack. */
  paid: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_CARDS_3RD = {
  id: string;
  type: "DEAL_CARDS_3RD";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  hands: DealtThree[];
  /** Whose door card must bring it in. */
  bringInIndex: Seat | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_CARD_4TH = {
  id: string;
  type: "DEAL_CARD_4TH";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  cards: DealtCard[];
  /** Whose showing hand is best and opens. */
  opener: Seat | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_CARD_5TH = {
  id: string;
  type: "DEAL_CARD_5TH";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  cards: DealtCard[];
  /** Whose showing hand is best and opens. */
  opener: Seat | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_CARD_6TH = {
  id: string;
  type: "DEAL_CARD_6TH";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  cards: DealtCard[];
  /** Whose showing hand is best and opens. */
  opener: Seat | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_CARD_7TH = {
  id: string;
  type: "DEAL_CARD_7TH";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  cards: DealtCard[];
  /** Whose showing hand is best and opens. */
  opener: Seat | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type BRING_IN = {
  id: string;
  type: "BRING_IN";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Nominal, as the contract defines it for this type. */
  amount: number;
  /** ＋ What left the stack. */
  paid: number;
  /** ＋ True where the seat's time was up; else left out. */
  timedOut?: boolean;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type COMPLETE = {
  id: string;
  type: "COMPLETE";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Nominal, as the contract defines it for this type. */
  amount: number;
  /** ＋ What left the stack. */
  paid: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type BET = {
  id: string;
  type: "BET";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Nominal, as the contract defines it for this type. */
  amount: number;
  /** ＋ What left the stack. */
  paid: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type RAISE = {
  id: string;
  type: "RAISE";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Nominal, as the contract defines it for this type. */
  amount: number;
  /** ＋ What left the stack. */
  paid: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type CALL = {
  id: string;
  type: "CALL";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Nominal, as the contract defines it for this type. */
  amount: number;
  /** ＋ What left the stack. */
  paid: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type FOLD = {
  id: string;
  type: "FOLD";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** ＋ True where the seat's time was up; else left out. */
  timedOut?: boolean;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type CHECK = {
  id: string;
  type: "CHECK";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** ＋ True where the seat's time was up; else left out. */
  timedOut?: boolean;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type SAT_OUT = {
  id: string;
  type: "SAT_OUT";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type CAME_BACK = {
  id: string;
  type: "CAME_BACK";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type STREET_ADVANCE = {
  id: string;
  type: "STREET_ADVANCE";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** ＋ The hands that play on face up, because nobody can bet any more. */
  turnedUp: TurnedUp[];
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type DEAL_END = {
  id: string;
  type: "DEAL_END";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** What was played. */
  variant: Variant;
  /** The hands shown, in the order they were. */
  shown: ShownTold[];
  /** The pots, main pot first. */
  pots: Pot[];
  /** What each stack won or lost in this deal. */
  change: number[];
  /** The stacks after it. */
  stacks: number[];
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type TIME_BANK = {
  id: string;
  type: "TIME_BANK";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  seconds: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type REBOUGHT = {
  id: string;
  type: "REBOUGHT";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  amount: number;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** An event: the contract's head, the body of its type, and who is asked next. */
export type GAME_FINISHED = {
  id: string;
  type: "GAME_FINISHED";
  /** Null for what concerns the whole table. */
  seat: Seat | null;
  /** Null for what belongs to no street. */
  street: Street | null;
  /** Milliseconds since 1970. */
  timestamp: number;
  reason: Ending;
  note: string | null;
  stacks: number[];
  /** What each seat won or lost: its stack without what it bought. */
  won: number[];
  /** Who won most; nobody if all are equal. */
  winners: Seats;
  /** What GAME_STARTED's commitment was to; null where hands stay closed. */
  seedOpening: SeedOpening | null;
  /** ＋ Who is asked after this step; null within a step and where nobody is. */
  next: Next | null;
};

/** The present as a whole. It is no event; its id is the last one's. */
export type SNAPSHOT = {
  id: string;
  type: "SNAPSHOT";
  seat: Seat | null;
  timestamp: number;
  gameId: string;
  /** The seat this is told to; null for a spectator. */
  mySeat: Seat | null;
  /** What is played for; 0 once it is paid. */
  pot: number;
  currentBet: number;
  raiseCount: number;
  pendingResponseCount: number;
  checksThisStreet: number;
  actionsThisStreet: ActionTold[];
  /** Null where nobody is asked. */
  currentActorIndex: Seat | null;
  /** Null before third street is dealt. */
  bringInIndex: Seat | null;
  street: Street | null;
  dealFinished: boolean;
  players: PlayerTold[];
  /** ＋ Whose view this is: `seat:0`, `public`, `admin`, `postmortem`. */
  viewer: string;
  /** ＋ */
  stage: StageTold;
  /** ＋ The deal under way or just over, from 1. */
  deal: number;
  /** ＋ Deals that have ended. */
  dealsPlayed: number;
  /** ＋ */
  variant: Variant;
  /** ＋ The limits of this deal. */
  stakes: Stakes;
  /** ＋ When they rise next, by the schedule of the rules; null if never. */
  nextStakes: Rise | null;
  /** ＋ Null before the match is opened. */
  rules: Rules | null;
  /** ＋ */
  seedCommitment: string | null;
  /** ＋ What the actor may do, with its chips. */
  legal: Offer[];
  /** ＋ What this viewer's seat may do whoever is asked. */
  asides: string[];
  /** ＋ Whom the next deal waits for, because fewer than two want to play. */
  waitingFor: Seats;
  /** ＋ Seconds for the decision that is asked; null where no clock runs. */
  timeoutSeconds: number | null;
  /** ＋ How the last deal ended, until the next begins. */
  lastDeal: DealEnd | null;
  /** ＋ How the match ended. */
  finished: GameFinished | null;
  /** ＋ What is left of the deck, for those who see all. */
  deck?: Card[] | null;
  /** What is left of `timeoutSeconds`, or between deals of `rules.waitSeconds`, where that is known. */
  secondsLeft: number | null;
};

/** Why a command was refused. It is no part of the log. */
export type REFUSED = {
  id: string;
  type: "REFUSED";
  seat: Seat;
  street: Street | null;
  timestamp: number;
  /** NOT_YOUR_TURN, ILLEGAL_ACTION, NO_BETTING, ALREADY_SO, NO_REBUY, NO_TIME_BANK, NO_CLAIM or GAME_OVER from the game; the house has its own. */
  code: string;
  message: string;
  retryAllowed: boolean;
};

/** A player went away or came back. It is no part of the log. */
export type PRESENCE = {
  id: string;
  type: "PRESENCE";
  seat: Seat;
  street: Street | null;
  timestamp: number;
  connected: boolean;
};

export type BRING_IN_COMMAND = {
  type: "BRING_IN";
};

export type COMPLETE_COMMAND = {
  type: "COMPLETE";
};

export type BET_COMMAND = {
  type: "BET";
};

export type RAISE_COMMAND = {
  type: "RAISE";
};

export type CALL_COMMAND = {
  type: "CALL";
};

export type FOLD_COMMAND = {
  type: "FOLD";
};

export type CHECK_COMMAND = {
  type: "CHECK";
};

export type SIT_OUT = {
  type: "SIT_OUT";
};

export type COME_BACK = {
  type: "COME_BACK";
};

export type REBUY = {
  type: "REBUY";
};

export type TIME_BANK_COMMAND = {
  type: "TIME_BANK";
};

export type CLAIM = {
  type: "CLAIM";
};

export type ACKNOWLEDGE = {
  type: "ACKNOWLEDGE";
  id: string;
};

export type Event = GAME_STARTED | DEAL_STARTED | DEAL_INIT | POST_ANTE | DEAL_CARDS_3RD | DEAL_CARD_4TH | DEAL_CARD_5TH | DEAL_CARD_6TH | DEAL_CARD_7TH | BRING_IN | COMPLETE | BET | RAISE | CALL | FOLD | CHECK | SAT_OUT | CAME_BACK | STREET_ADVANCE | DEAL_END | TIME_BANK | REBOUGHT | GAME_FINISHED | SNAPSHOT | REFUSED | PRESENCE;

export type Command = BRING_IN_COMMAND | COMPLETE_COMMAND | BET_COMMAND | RAISE_COMMAND | CALL_COMMAND | FOLD_COMMAND | CHECK_COMMAND | SIT_OUT | COME_BACK | REBUY | TIME_BANK_COMMAND | CLAIM | ACKNOWLEDGE;
