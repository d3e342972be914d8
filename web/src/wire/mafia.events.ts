// Written from the schemas of `mafia.events` by house/tests/wire_types.rs; not to be edited.

/** Who plays a seat, as the log has it. */
export type AgentAssigned = {
  /** The seat. */
  agentId: PlayerId;
  /** The kind of agent: `llm`. */
  agent: string;
  /** The model behind it. */
  model?: string | null;
  /** The character it was asked to play. */
  persona?: string | null;
  agentName: string;
};

/** A seat did not do what it had to. */
export type AgentFault = {
  /** Whose. */
  agentId: PlayerId;
  /** What went wrong. */
  reason: string;
  /** What came of it. */
  remedy: Remedy;
  /** How many times in a row the seat has fallen back. */
  inARow: number;
  /** Whether the seat plays fallbacks to the end. */
  degraded: boolean;
  agentName: string;
};

/** What a decision of an agent took, as the log has it. */
export type AgentUsage = {
  /** Whose. */
  agentId: PlayerId;
  /** Tokens read. */
  promptTokens: number;
  /** Tokens written. */
  completionTokens: number;
  /** How long it took. */
  latencyMs: number;
  /** What it cost, in millionths of a dollar; none if the price is unknown. */
  costMicros: number | null;
  /** How many requests it took; none in logs from before they were counted. */
  requests?: number;
  /** Those of the tokens read that had been read before. */
  cachedTokens?: number;
  /** Those of the tokens written that were reasoning. */
  reasoningTokens?: number;
  /** Whether some of these tokens are an estimate: the endpoint did not count them. */
  estimated?: boolean;
  agentName: string;
};

/** Who is spoken to. */
export type Channel = "public" | "mafia";

/** A part of what someone says or thinks. The whole is the parts put together. */
export type Chunk = {
  /** Who. */
  agentId: PlayerId;
  /** The words. */
  chunk: string;
  /** The turn it is part of. */
  turnId: TurnId;
  /** ＋ Whether it is the last part. */
  final: boolean;
  /** ＋ Who hears it. */
  channel: Channel;
  agentName: string;
};

/** How many of each role there are. */
export type Config = {
  players: number;
  mafia: number;
  doctor: number;
  sheriff: number;
  villagers: number;
};

/** The beginning: the names for everyone, one's own role, the mafia's team, and the seed for those who see all. */
export type CreatedSeen = {
  gameId: string;
  seed?: number | null;
  config: Config;
  initialRoles: PartSeen[];
  rules: Rules;
  seedCommitment: string;
};

/** Someone dies: the role only where it is flipped. */
export type DeathSeen = {
  /** Who. */
  playerId: PlayerId;
  /** What they were. */
  role?: Role | null;
  /** ＋ Which side they were on. */
  team?: Team | null;
  /** What they died of. */
  eliminatedBy: Fate;
  /** The round. */
  roundNumber: number;
  /** Whether everyone sees the role. */
  flipRevealedRole: boolean;
  playerName: string;
};

/** What someone died of. */
export type Fate = "vote" | "night_kill";

/** How the game stood at its end. */
export type FinalGameState = {
  dayNumber: number;
  roundNumber: number;
  alivePlayers: Players;
  deadPlayers: Players;
};

/** What the town learns of a dead player. */
export type Flip = "role" | "team" | "none";

/** What the town learns of the dead, by what they died of. */
export type Flips = {
  /** Of those voted out. */
  vote: Flip;
  /** Of those killed at night. */
  nightKill: Flip;
};

/** Someone bids for the floor. */
export type FloorBid = {
  /** Who. */
  agentId: PlayerId;
  /** How much. */
  amount: number;
  /** For which turn of the day, from 1. */
  turn: number;
  agentName: string;
};

/** The highest bidder has the floor. */
export type FloorGiven = {
  /** Who. */
  agentId: PlayerId;
  /** What it took. */
  amount: number;
  /** Which turn of the day, from 1. */
  turn: number;
  agentName: string;
};

/** The game is over. */
export type GameEnded = {
  winner: Team | null;
  winningPlayers: Part[];
  finalGameState: FinalGameState;
  roles: Part[];
  degraded: boolean;
  calledOff?: string | null;
  seedOpening: SeedOpening;
  durationMs: number;
};

export type InquiryRecord = {
  nightNumber: number;
  targetId: PlayerId;
  isMafia: boolean;
  targetName: string;
};

/** What the sheriff learned. */
export type Investigation = {
  /** Who asked. */
  sheriffId: PlayerId;
  /** After whom. */
  targetId: PlayerId;
  /** What was found. */
  isMafia: boolean;
  sheriffName: string;
  targetName: string;
};

export type LineRecord = {
  agentId: PlayerId;
  turnId: TurnId;
  private: boolean;
  text: string;
  agentName: string;
};

/** A villager has taken note of the night. */
export type NightAcknowledged = {
  /** Who. */
  agentId: PlayerId;
  /** The night, from 1. */
  nightNumber: number;
  agentName: string;
};

/** What is done at night. */
export type NightAction = "KILL" | "PROTECT" | "INVESTIGATE";

/** Someone acts at night, or acts again: the last one counts. */
export type NightActionSubmitted = {
  /** Who. */
  agentId: PlayerId;
  /** What. */
  actionType: NightAction;
  /** Whom; none: a kill of nobody, or silence. */
  targetId: PlayerId | null;
  /** ＋ Whether a mafioso stayed silent and so has no say tonight. */
  silent?: boolean;
  agentName: string;
  targetName: string | null;
};

/** What the night brought. */
export type NightResolved = {
  /** The night, from 1. */
  nightNumber: number;
  /** Who died. */
  killedPlayerId: PlayerId | null;
  /** Whom the doctor protected, attacked or not. */
  protectedPlayerId: PlayerId | null;
  /** Whether that was the one to be killed. */
  protectionPreventsKill: boolean;
  /** What the sheriff learned. */
  investigationResult: Investigation | null;
  killedPlayerName: string | null;
  protectedPlayerName: string | null;
};

/** A player and what it is. */
export type Part = {
  playerId: PlayerId;
  role: Role;
  playerName: string;
};

/** A player, and its role where the viewer may know it. */
export type PartSeen = {
  playerId: PlayerId;
  role?: Role | null;
  playerName: string;
};

/** A phase begins. */
export type PhaseChanged = {
  /** The phase that ends. */
  from: Stage;
  /** The phase that begins. */
  to: Stage;
  /** Nights completed. */
  dayNumber: number;
  /** 2·day by night, 2·day − 1 by day. */
  roundNumber: number;
};

export type PlayerId = string;

export type PlayerRecord = {
  playerId: PlayerId;
  alive: boolean;
  role?: Role | null;
  team?: Team | null;
  eliminatedBy?: Fate | null;
  eliminatedInRound?: number | null;
  playerName: string;
};

export type Players = PlayerId[];

export type ProtectionRecord = {
  nightNumber: number;
  targetId: PlayerId;
  saved: boolean;
  targetName: string;
};

/** What came of a failure. */
export type Remedy = "retry" | "fallback";

/** What a player is. */
export type Role = "mafia" | "doctor" | "sheriff" | "villager";

/** The house rules of one table. */
export type Rules = {
  /** How many play. */
  players: number;
  /** How many of them are mafia. */
  mafia: number;
  /** Whether there is a doctor. */
  doctor: number;
  /** Whether there is a sheriff. */
  sheriff: number;
  /** How many are plain villagers; none: all who are nothing else. */
  villagers: number | null;
  /** How often everyone speaks before a vote. */
  discussionRounds: number;
  /** Who speaks when. */
  speakingOrder: SpeakingOrder;
  /** How many votes it takes. */
  voteRule: VoteRule;
  /** What happens on a tie. */
  tieRule: TieRule;
  /** Whether votes are seen as they are cast. */
  votes: Votes;
  /** What the town learns of the dead. */
  flip: Flips;
  /** The mafia may talk among themselves at night. */
  mafiaChannel: boolean;
  /** The mafia may choose to kill nobody. */
  noKill: boolean;
  /** The night waits for villagers too, so that nothing shows who has a role. */
  acknowledge: boolean;
  /** Seconds for a night; 0: no clock. */
  nightSeconds: number;
  /** Seconds for a turn to speak; 0: no clock. */
  turnSeconds: number;
  /** Seconds for a ballot; 0: no clock. */
  voteSeconds: number;
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

/** Who speaks when. */
export type SpeakingOrder = "roundRobin" | "bidding";

/** The phases of the contract. */
export type Stage = "SETUP" | "NIGHT_ACTIONS" | "MORNING_REVEAL" | "DAY_DISCUSSION" | "DAY_VOTING" | "RESOLUTION" | "END";

/** The game stops or goes on, in the midst of a phase. */
export type Standstill = {
  /** The phase. */
  phase: Stage;
};

export type Submission = {
  agentId: PlayerId;
  actionType: NightAction | null;
  targetId: PlayerId | null;
  agentName: string;
  targetName: string | null;
};

/** The two sides. */
export type Team = "town" | "mafia";

/** What happens when several hold the most votes. */
export type TieRule = "random" | "none" | "revote";

export type TurnId = string;

/** One vote of a ballot. */
export type Vote = {
  /** Who. */
  voterId: PlayerId;
  /** Against whom; none abstains. */
  targetId: PlayerId | null;
  voterName: string;
  targetName: string | null;
};

/** Someone votes, or votes anew: the last one counts. */
export type VoteCast = {
  /** 2·day − 1. */
  roundNumber: number;
  /** Who. */
  voterId: PlayerId;
  /** Against whom; none abstains. */
  targetId: PlayerId | null;
  /** ＋ Which ballot of the day, from 1. */
  ballot: number;
  /** ＋ Whether it stays hidden until the ballot is closed. */
  sealed?: boolean;
  voteTime: number;
  voterName: string;
  targetName: string | null;
};

/** A ballot is closed. */
export type VoteResult = {
  roundNumber: number;
  eliminatedPlayerId: PlayerId | null;
  votes: Vote[];
  voteDistribution: Record<string, unknown>;
  majorityReached: boolean;
  tie: boolean;
  ballot: number;
  votesNeededForMajority: number;
  runoff?: Players;
  eliminatedPlayerName: string | null;
};

/** How many votes it takes. */
export type VoteRule = "plurality" | "majority";

/** Whether votes are seen as they are cast. */
export type Votes = "open" | "sealed";

export type You = {
  playerId: PlayerId;
  role: Role | null;
  alive: boolean;
  /** What the game waits for from this seat; nothing if it does not. */
  asked: string | null;
  /** The moves open to it, each as a command. */
  legalActions: unknown[];
  playerName: string;
};

export type GAME_CREATED = {
  eventType: "GAME_CREATED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: CreatedSeen;
};

export type PHASE_CHANGED = {
  eventType: "PHASE_CHANGED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: PhaseChanged;
};

export type NIGHT_ACTION_SUBMITTED = {
  eventType: "NIGHT_ACTION_SUBMITTED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: NightActionSubmitted;
};

export type NIGHT_RESOLVED = {
  eventType: "NIGHT_RESOLVED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: NightResolved;
};

export type AGENT_THINK_STREAM = {
  eventType: "AGENT_THINK_STREAM";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: Chunk;
};

export type AGENT_SAY_STREAM = {
  eventType: "AGENT_SAY_STREAM";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: Chunk;
};

export type VOTE_CAST = {
  eventType: "VOTE_CAST";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: VoteCast;
};

export type VOTE_RESULT = {
  eventType: "VOTE_RESULT";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: VoteResult;
};

export type PLAYER_ELIMINATED = {
  eventType: "PLAYER_ELIMINATED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: DeathSeen;
};

export type GAME_ENDED = {
  eventType: "GAME_ENDED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: GameEnded;
};

export type NIGHT_ACKNOWLEDGED = {
  eventType: "NIGHT_ACKNOWLEDGED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: NightAcknowledged;
};

export type FLOOR_BID = {
  eventType: "FLOOR_BID";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: FloorBid;
};

export type FLOOR_GIVEN = {
  eventType: "FLOOR_GIVEN";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: FloorGiven;
};

export type AGENT_ASSIGNED = {
  eventType: "AGENT_ASSIGNED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: AgentAssigned;
};

export type AGENT_FAULT = {
  eventType: "AGENT_FAULT";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: AgentFault;
};

export type AGENT_USAGE = {
  eventType: "AGENT_USAGE";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: AgentUsage;
};

export type GAME_PAUSED = {
  eventType: "GAME_PAUSED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: Standstill;
};

export type GAME_RESUMED = {
  eventType: "GAME_RESUMED";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  payload: Standstill;
};

export type SNAPSHOT = {
  eventType: "SNAPSHOT";
  gameId: string;
  sequence: number;
  timestamp: number;
  private?: boolean;
  /** What a viewer knows. */
  payload: {
    gameId: string;
    view: string;
    rules: Rules | null;
    seedCommitment: string | null;
    phase: Stage;
    dayNumber: number;
    roundNumber: number;
    ballot: number;
    paused: boolean;
    you: You | null;
    players: PlayerRecord[];
    speakerId: PlayerId | null;
    /** The votes of the ballot under way, as far as they are seen. */
    votes: Vote[];
    /** Every ballot that was closed. */
    results: VoteResult[];
    /** The nights on which someone was saved. */
    saves: number[];
    /** What is known to have been chosen tonight. */
    tonight: Submission[];
    protections: ProtectionRecord[];
    investigations: InquiryRecord[];
    transcript: LineRecord[];
    degraded?: Players;
    winner: Team | null;
    speakerName: string | null;
  };
  secondsLeft?: number;
};

/** ＋ Why a command was not taken. It is no part of the log. */
export type COMMAND_REFUSED = {
  eventType: "COMMAND_REFUSED";
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Always true. */
  private: boolean;
  payload: {
    /** Who sent it. */
    agentId: string;
    /** Why, as a code. */
    code: string;
    /** The same in a sentence. */
    message: string;
    /** False once the game is over. */
    retryAllowed: boolean;
  };
};

export type KILL = {
  type: "KILL";
  target: string | null;
};

export type PROTECT = {
  type: "PROTECT";
  target: string;
};

export type INVESTIGATE = {
  type: "INVESTIGATE";
  target: string;
};

export type ACKNOWLEDGE = {
  type: "ACKNOWLEDGE";
};

export type BID = {
  type: "BID";
  amount: number;
};

export type SAY = {
  type: "SAY";
  text: string;
  final?: boolean;
  channel?: "public" | "mafia";
};

export type VOTE = {
  type: "VOTE";
  target: string | null;
};

export type SHOWN = {
  type: "SHOWN";
  position?: number | null;
};

export type Event = GAME_CREATED | PHASE_CHANGED | NIGHT_ACTION_SUBMITTED | NIGHT_RESOLVED | AGENT_THINK_STREAM | AGENT_SAY_STREAM | VOTE_CAST | VOTE_RESULT | PLAYER_ELIMINATED | GAME_ENDED | NIGHT_ACKNOWLEDGED | FLOOR_BID | FLOOR_GIVEN | AGENT_ASSIGNED | AGENT_FAULT | AGENT_USAGE | GAME_PAUSED | GAME_RESUMED | SNAPSHOT | COMMAND_REFUSED;

export type Command = KILL | PROTECT | INVESTIGATE | ACKNOWLEDGE | BID | SAY | VOTE | SHOWN;
