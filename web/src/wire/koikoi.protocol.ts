// Written from the schemas of `koikoi.protocol` by house/tests/wire_types.rs; not to be edited.

export type Card = "0111" | "0131" | "0141" | "0142" | "0221" | "0231" | "0241" | "0242" | "0311" | "0331" | "0341" | "0342" | "0421" | "0431" | "0441" | "0442" | "0521" | "0531" | "0541" | "0542" | "0621" | "0631" | "0641" | "0642" | "0721" | "0731" | "0741" | "0742" | "0811" | "0821" | "0841" | "0842" | "0921" | "0931" | "0941" | "0942" | "1021" | "1031" | "1041" | "1042" | "1111" | "1121" | "1131" | "1141" | "1211" | "1241" | "1242" | "1243";

export type CardsTold = {
  field: Card[];
  my_hand: Card[];
  opponent_hand_count: number;
  my_depository: Card[];
  opponent_depository: Card[];
  deck_remaining: number;
  /** ＋ As many as `my_hand`, but for a spectator, who does not see them. */
  my_hand_count: number;
};

/** What the turn did; null where an earlier event has told it. */
export type Completed = {
  hand_play: HandPlay | null;
  deck_flip: DeckFlip | null;
};

/** What the awaited player chooses from. */
export type Context = {
  selection: Selection;
} | {
  yaku_update: YakuUpdate;
};

export type DealtHand = {
  player_id: string;
  cards: Card[];
} | {
  player_id: string;
  count: number;
};

/** What a player decided. */
export type Decision = "KOI_KOI" | "END_ROUND";

export type DeckFlip = {
  flipped: Card;
  captured: Card[];
  to: Destination;
  deck_remaining: number;
};

export type Destination = {
  type: "field";
} | {
  type: "depository";
  player_id: string;
};

export type DrawnReason = "NO_YAKU";

/** Why the match is over. */
export type Ending = "ROUNDS_PLAYED" | "TARGET_REACHED" | "CALLED_OFF";

/** The contracts' codes. */
export type ErrorCode = "INVALID_CARD" | "INVALID_TARGET" | "WRONG_PLAYER" | "INVALID_STATE" | "INVALID_SELECTION";

/** Who scores when both hands are empty, nothing is new, and someone had called. */
export type ExhaustedAfterKoi = "nobody" | "last_caller";

/** Who deals the first round. */
export type FirstDealer = "drawn" | "first" | "second";

/** What the table waits for while a round is under way. */
export type FlowState = "AWAITING_HAND_PLAY" | "AWAITING_SELECTION" | "AWAITING_DECISION";

export type FlowTold = {
  /** Between rounds the next one, after the match the last; `phase` says so. */
  type: FlowState;
  active_player: string;
  context: Context | null;
  /** ＋ `phase` under its older name, which also knew UNOPENED. */
  stage: Stage;
  /** ＋ */
  timeout_seconds: number | null;
  /** ＋ What is left of it, where that is known. */
  seconds_left: number | null;
};

export type GameFinishedInGameSnapshotRestore = {
  final_scores: [PlayerScore, PlayerScore];
  /** Null on equal totals. */
  winner: string | null;
  /** ＋ */
  reason: Ending;
  /** ＋ What was said when the match was called off. */
  note?: string | null;
  /** ＋ What GameStarted's commitment was to. */
  seed_opening: SeedOpening;
};

export type GameTold = {
  id: string;
  ruleset: Ruleset;
  cumulative_scores: [PlayerScore, PlayerScore];
  /** Rounds that have ended. */
  rounds_played: number;
  /** ＋ */
  players: Player[];
  /** ＋ */
  seed_commitment: string;
};

export type HandPlay = {
  played: Card;
  captured: Card[];
  to: Destination;
};

export type HandPlayCompleted = {
  hand_play: HandPlay;
};

/** Cards of a hand that everyone, or this viewer, may see. */
export type HandShown = {
  player_id: string;
  cards: Card[];
};

export type HeldYaku = {
  player_id: string;
  yakus: ScoredYaku[];
  total_base: number;
};

/** What the contracts' reason leaves open. */
export type InstantDetail = "FOUR_PAIRS";

/** Why a deal ended its round; the contracts know two reasons. */
export type InstantReason = "TESHI" | "FIELD_KUTTSUKI";

/** Whose calls multiply the score. */
export type KoiFactor = "opponent_called" | "winner_own" | "any_called";

export type KoiStatus = {
  player_id: string;
  /** The factor that this player's own calls put on the round. */
  multiplier: number;
  called_count: number;
};

export type LastRound = RoundScoredInGameSnapshotRestore & {
  event: "RoundScored";
} | RoundDrawnInGameSnapshotRestore & {
  event: "RoundDrawn";
} | RoundEndedInstantlyInGameSnapshotRestore & {
  event: "RoundEndedInstantly";
};

export type Multipliers = {
  /** The factor for seven points and more: 2, or 1. */
  seven_plus: number;
  /** The factor for koi-koi calls by the table's `koi_factor`. Under `opponent_called` it is for the loser's calls, as the name says; under `winner_own` it is one more than the winner's own calls; under `any_called` it is for anybody's. */
  opponent_koi: number;
};

/** Who deals the next round. */
export type NextDealer = "winner" | "alternate";

export type NextState = {
  type: FlowState;
  active_player: string;
};

export type Player = {
  id: string;
  name: string;
  /** ＋ */
  is_ai: boolean;
};

export type PlayerScore = {
  player_id: string;
  score: number;
};

export type RoundDrawnInGameSnapshotRestore = {
  reason: DrawnReason;
  score_changes: [ScoreChange, ScoreChange];
  /** ＋ */
  cumulative_scores: [PlayerScore, PlayerScore];
};

export type RoundEndedInstantlyInGameSnapshotRestore = {
  reason: InstantReason;
  winner: string | null;
  score_changes: [ScoreChange, ScoreChange];
  cumulative_scores: [PlayerScore, PlayerScore];
  /** ＋ */
  detail: InstantDetail | null;
  /** ＋ The cards that caused it. */
  shown: Shown;
};

export type RoundScoredInGameSnapshotRestore = {
  winner: string;
  yakus: ScoredYaku[];
  base_total: number;
  multipliers: Multipliers;
  final_points: number;
  score_changes: [ScoreChange, ScoreChange];
  cumulative_scores: [PlayerScore, PlayerScore];
  /** ＋ Why the round was scored now. */
  by: ScoredBy;
};

export type RoundTold = {
  dealer: string;
  koi_status: [KoiStatus, KoiStatus];
  /** ＋ The round under way or just over, from 1. */
  number: number;
  /** ＋ What each player's captures are worth. */
  yakus: [HeldYaku, HeldYaku];
};

/** The house rules that both rulesets give in the same words. */
export type Ruleset = {
  /** The match ends after this many rounds; 0: no such limit. */
  total_rounds: number;
  /** The match ends when a total reaches this; 0: no such limit. */
  target_score: number;
  /** The factor of a koi-koi call. */
  koi_koi_multiplier: number;
  /** Seven points and more count twice. */
  seven_point_double: boolean;
  /** Whose calls multiply. */
  koi_factor: KoiFactor;
  /** How often a player may call in a round; null: as often as they like. */
  koi_limit: number | null;
  sake_cup_is_also_plain: boolean;
  exhausted_after_koi: ExhaustedAfterKoi;
  next_dealer: NextDealer;
  first_dealer: FirstDealer;
  /** Seconds a player may think; 0: no clock. */
  turn_seconds: number;
  /** ＋ What each yaku gives; one that is not named is not played. */
  yaku: YakuPoints;
  /** ＋ */
  teshi: boolean;
  /** ＋ */
  four_pairs: boolean;
  /** ＋ Whether a teshi and four pairs cancel each other. */
  special_hands_cancel: boolean;
  /** ＋ */
  field_kuttsuki: boolean;
};

export type ScoreChange = {
  player_id: string;
  change: number;
};

/** Why a round was scored. */
export type ScoredBy = "STOP" | "LAST_CARD" | "KOI_LIMIT" | "EXHAUSTED";

export type ScoredYaku = {
  type: Yaku;
  base_points: number;
  /** ＋ The captures that count for it. */
  cards: Card[];
};

/** What the last event shows: enough to recompute the commitment and every draw of the game. */
export type SeedOpening = {
  /** The seed, as 64 hexadecimal digits. */
  seed: string;
  /** The salt, as 64 hexadecimal digits. */
  salt: string;
  /** What the dice were keyed with, where it was not the game's id. */
  scope?: string | null;
};

export type SelectedCapture = {
  source: Card;
  captured: Card[];
  to: Destination;
};

export type Selection = {
  source: Card;
  options: [Card, Card];
};

/** The cards that made a deal special, face up for everyone. */
export type Shown = {
  hands: [HandShown, HandShown];
  field: Card[];
};

/** Which of these it is, where the flow state is the next or the last one. */
export type SnapshotPhase = "PLAYING" | "ROUND_OVER" | "FINISHED";

/** Where the match stands; what a flow state cannot say. */
export type Stage = "UNOPENED" | "PLAYING" | "ROUND_OVER" | "FINISHED";

export type TurnPhase = "deck_flip";

/** A scoring combination. This enum names them everywhere; the order is that in which they are listed. */
export type Yaku = "GOKOU" | "SHIKOU" | "AMESHIKOU" | "SANKOU" | "AKATAN" | "AOTAN" | "TANZAKU" | "INOSHIKACHOU" | "HANAMI_ZAKE" | "TSUKIMI_ZAKE" | "TANE" | "KASU";

export type YakuPoints = {
  GOKOU?: number;
  SHIKOU?: number;
  AMESHIKOU?: number;
  SANKOU?: number;
  AKATAN?: number;
  AOTAN?: number;
  TANZAKU?: number;
  INOSHIKACHOU?: number;
  HANAMI_ZAKE?: number;
  TSUKIMI_ZAKE?: number;
  TANE?: number;
  KASU?: number;
};

export type YakuUpdate = {
  new: ScoredYaku[];
  total_base: number;
  /** ＋ Everything the player holds. */
  all: ScoredYaku[];
};

/** An event with its head, for its schema. */
export type GameStarted = {
  event: "GameStarted";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Null for a spectator. */
  my_player_id: string | null;
  players: Player[];
  ruleset: Ruleset;
  /** ＋ */
  game_id: string;
  /** ＋ Who deals, and so plays first, in round 1. */
  starting_player: string;
  /** ＋ GameFinished opens it. */
  seed_commitment: string;
};

/** An event with its head, for its schema. */
export type RoundDealt = {
  event: "RoundDealt";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  dealer: string;
  field: Card[];
  hands: [DealtHand, DealtHand];
  deck_remaining: number;
  first_player: string;
  /** Null where the deal itself ends the round. */
  next_state: NextState | null;
  /** ＋ The round, from 1. */
  round: number;
  /** ＋ */
  timeout_seconds: number | null;
};

/** An event with its head, for its schema. */
export type RoundEndedInstantly = {
  event: "RoundEndedInstantly";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  reason: InstantReason;
  winner: string | null;
  score_changes: [ScoreChange, ScoreChange];
  cumulative_scores: [PlayerScore, PlayerScore];
  /** ＋ */
  detail: InstantDetail | null;
  /** ＋ The cards that caused it. */
  shown: Shown;
};

/** An event with its head, for its schema. */
export type RoundScored = {
  event: "RoundScored";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  winner: string;
  yakus: ScoredYaku[];
  base_total: number;
  multipliers: Multipliers;
  final_points: number;
  score_changes: [ScoreChange, ScoreChange];
  cumulative_scores: [PlayerScore, PlayerScore];
  /** ＋ Why the round was scored now. */
  by: ScoredBy;
};

/** An event with its head, for its schema. */
export type RoundDrawn = {
  event: "RoundDrawn";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  reason: DrawnReason;
  score_changes: [ScoreChange, ScoreChange];
  /** ＋ */
  cumulative_scores: [PlayerScore, PlayerScore];
};

/** An event with its head, for its schema. */
export type GameFinished = {
  event: "GameFinished";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  final_scores: [PlayerScore, PlayerScore];
  /** Null on equal totals. */
  winner: string | null;
  /** ＋ */
  reason: Ending;
  /** ＋ What was said when the match was called off. */
  note?: string | null;
  /** ＋ What GameStarted's commitment was to. */
  seed_opening: SeedOpening;
};

/** An event with its head, for its schema. */
export type TurnCompleted = {
  event: "TurnCompleted";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  player: string;
  hand_play: HandPlay;
  deck_flip: DeckFlip;
  /** A yaku that came with the last chance to form one: RoundScored follows. */
  yaku_update: YakuUpdate | null;
  /** Null where the round is over. */
  next_state: NextState | null;
  /** ＋ */
  timeout_seconds: number | null;
};

/** An event with its head, for its schema. */
export type SelectionRequired = {
  event: "SelectionRequired";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  player: string;
  phase: TurnPhase;
  completed: HandPlayCompleted;
  selection: Selection;
  next_state: NextState;
  /** ＋ After the flip. */
  deck_remaining: number;
  /** ＋ */
  timeout_seconds: number | null;
};

/** An event with its head, for its schema. */
export type TurnProgressAfterSelection = {
  event: "TurnProgressAfterSelection";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  selected_capture: SelectedCapture;
  deck_remaining: number;
  yaku_update: YakuUpdate | null;
  /** Null where the round is over. */
  next_state: NextState | null;
  /** ＋ */
  player: string;
  /** ＋ */
  timeout_seconds: number | null;
};

/** An event with its head, for its schema. */
export type DecisionRequired = {
  event: "DecisionRequired";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  player: string;
  yaku_update: YakuUpdate;
  next_state: NextState;
  /** ＋ */
  completed: Completed;
  /** ＋ */
  deck_remaining: number;
  /** ＋ */
  timeout_seconds: number | null;
};

/** An event with its head, for its schema. */
export type DecisionMade = {
  event: "DecisionMade";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  player: string;
  decision: Decision;
  /** The factor that this player's own calls put on the round. */
  koi_multiplier_update: number;
  /** Null where the round is over. */
  next_state: NextState | null;
  /** ＋ The player's calls this round. */
  called_count: number;
  /** ＋ */
  timeout_seconds: number | null;
};

/** An event with its head, for its schema. */
export type TurnError = {
  event: "TurnError";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  error_code: ErrorCode;
  message: string;
  retry_allowed: boolean;
  /** ＋ Whose command was refused; null where nobody has proved a seat. */
  player: string | null;
  /** ＋ What the code leaves open, such as MALFORMED or POSITION_AHEAD. */
  reason?: string | null;
};

/** An event with its head, for its schema. */
export type GameSnapshotRestore = {
  event: "GameSnapshotRestore";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Null for a spectator; what is mine then speaks of the first seat. */
  my_player_id: string | null;
  game: GameTold;
  round: RoundTold;
  cards: CardsTold;
  flow_state: FlowTold;
  /** ＋ Whether `flow_state` is the present one, the next or the last. */
  phase: SnapshotPhase;
  /** ＋ How the last round ended, from its end to the next deal. */
  last_round: LastRound | null;
  /** ＋ How the match ended. */
  finished: GameFinishedInGameSnapshotRestore | null;
  /** ＋ Both hands, for those who see all. */
  hands?: [HandShown, HandShown] | null;
};

/** An event with its head, for its schema. */
export type PlayerConnectionChanged = {
  event: "PlayerConnectionChanged";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  player_id: string;
  connected: boolean;
};

/** An event with its head, for its schema. */
export type CommandAnswered = {
  event: "CommandAnswered";
  event_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  idempotency_key: string;
  /** The position of the last event it made; null where it was refused. */
  position: number | null;
  /** Why it was refused, as a code; null where it was not. */
  code: string | null;
  /** The same in a sentence. */
  error: string | null;
};

export type GameRequestJoin = {
  command: "GameRequestJoin";
  player_id: string;
  session_token: string;
  after?: number | null;
};

export type TurnPlayHandCard = {
  command: "TurnPlayHandCard";
  card: "0111" | "0131" | "0141" | "0142" | "0221" | "0231" | "0241" | "0242" | "0311" | "0331" | "0341" | "0342" | "0421" | "0431" | "0441" | "0442" | "0521" | "0531" | "0541" | "0542" | "0621" | "0631" | "0641" | "0642" | "0721" | "0731" | "0741" | "0742" | "0811" | "0821" | "0841" | "0842" | "0921" | "0931" | "0941" | "0942" | "1021" | "1031" | "1041" | "1042" | "1111" | "1121" | "1131" | "1141" | "1211" | "1241" | "1242" | "1243";
  target?: "0111" | "0131" | "0141" | "0142" | "0221" | "0231" | "0241" | "0242" | "0311" | "0331" | "0341" | "0342" | "0421" | "0431" | "0441" | "0442" | "0521" | "0531" | "0541" | "0542" | "0621" | "0631" | "0641" | "0642" | "0721" | "0731" | "0741" | "0742" | "0811" | "0821" | "0841" | "0842" | "0921" | "0931" | "0941" | "0942" | "1021" | "1031" | "1041" | "1042" | "1111" | "1121" | "1131" | "1141" | "1211" | "1241" | "1242" | "1243" | null;
};

export type TurnSelectTarget = {
  command: "TurnSelectTarget";
  source: "0111" | "0131" | "0141" | "0142" | "0221" | "0231" | "0241" | "0242" | "0311" | "0331" | "0341" | "0342" | "0421" | "0431" | "0441" | "0442" | "0521" | "0531" | "0541" | "0542" | "0621" | "0631" | "0641" | "0642" | "0721" | "0731" | "0741" | "0742" | "0811" | "0821" | "0841" | "0842" | "0921" | "0931" | "0941" | "0942" | "1021" | "1031" | "1041" | "1042" | "1111" | "1121" | "1131" | "1141" | "1211" | "1241" | "1242" | "1243";
  target: "0111" | "0131" | "0141" | "0142" | "0221" | "0231" | "0241" | "0242" | "0311" | "0331" | "0341" | "0342" | "0421" | "0431" | "0441" | "0442" | "0521" | "0531" | "0541" | "0542" | "0621" | "0631" | "0641" | "0642" | "0721" | "0731" | "0741" | "0742" | "0811" | "0821" | "0841" | "0842" | "0921" | "0931" | "0941" | "0942" | "1021" | "1031" | "1041" | "1042" | "1111" | "1121" | "1131" | "1141" | "1211" | "1241" | "1242" | "1243";
};

export type RoundMakeDecision = {
  command: "RoundMakeDecision";
  decision: "KOI_KOI" | "END_ROUND";
};

export type ClientAcknowledge = {
  command: "ClientAcknowledge";
  event_id: string;
};

export type Event = GameStarted | RoundDealt | RoundEndedInstantly | RoundScored | RoundDrawn | GameFinished | TurnCompleted | SelectionRequired | TurnProgressAfterSelection | DecisionRequired | DecisionMade | TurnError | GameSnapshotRestore | PlayerConnectionChanged | CommandAnswered;

export type Command = GameRequestJoin | TurnPlayHandCard | TurnSelectTarget | RoundMakeDecision | ClientAcknowledge;
