/**
 * What the server says and is asked, as types; docs/api.md describes the same.
 *
 * @typedef {[number, number]} Point
 * @typedef {number | string} Token  an action, or `action~result` where there is chance
 * @typedef {{game: string, start: string | null, tokens: Token[]}} Line
 *
 * @typedef {object} Legal  an action that may be taken now
 * @property {number} action
 * @property {string} move  its notation
 * @property {Point[]} points  where it appears, or from where to where, or what it covers
 * @property {Point[]} [via]  where a chain of hops touches the board between its ends
 * @property {string | number} [piece]  the building that it places
 * @property {number} [turn]
 * @property {string} [how]  step, jump, hop, capture or exchange
 * @property {string | number} [group]
 *
 * @typedef {object} Last
 * @property {number} action
 * @property {string} move
 * @property {Point[]} points
 * @property {Point[]} [via]
 * @property {string | null} [chance]  what chance did, in words
 * @property {Point | null} [landed]  where a stray mark came to
 *
 * @typedef {{move: string, player: number, ply: number, turn: number}} MoveMade
 * @typedef {{turn: number, cells: Point[]}} Rotation
 * @typedef {object} TrayPiece
 * @property {string | number} piece
 * @property {number} player
 * @property {string} name
 * @property {boolean} neutral  of nobody's colour
 * @property {number} count
 * @property {Rotation[]} rotations
 *
 * @typedef {{char: string, label: string, player: number | null}} SetupPiece
 * @typedef {{pieces: SetupPiece[], cells: {index: number, x: number, y: number}[], empty: string,
 *   board: string, player: number, mover_counted: boolean}} Setup
 *
 * @typedef {object} Scene  a state as the page shows it
 * @property {Line} line
 * @property {number} plies
 * @property {number} player
 * @property {boolean} over
 * @property {number | null} winner
 * @property {string | null} result  in words
 * @property {string[]} players  what they are called
 * @property {string} text
 * @property {string} svg
 * @property {number} width
 * @property {number} height
 * @property {number} cell
 * @property {boolean} covers
 * @property {Legal[]} legal
 * @property {Last | null} last
 * @property {MoveMade[]} moves
 * @property {TrayPiece[]} [tray]
 * @property {Setup | null} [setup]
 * @property {string | null} [no_setup]  why not
 *
 * @typedef {{action: number, move: string, player: number, points: Point[]}} Step
 * @typedef {object} Considered
 * @property {number} action
 * @property {string} move
 * @property {number} policy
 * @property {number | null} [visits]
 * @property {number | null} [prior]
 * @property {number | null} [value]
 *
 * @typedef {object} Thought
 * @property {string} agent
 * @property {number | null} value  for the player to move
 * @property {boolean} proven
 * @property {number} nodes
 * @property {number} seconds
 * @property {number} [simulations]
 * @property {Step[]} line
 * @property {Considered[]} moves
 * @property {boolean} [final]
 * @property {number | null} [action]  what the agent takes, once it is final
 *
 * @typedef {{value: number | null, distance: number | null, score: number | null}} Exact
 * @typedef {object} Truth
 * @property {boolean} known
 * @property {string} [why]
 * @property {number | null} [value]
 * @property {number | null} [distance]
 * @property {number | null} [score]
 * @property {Record<string, Exact>} [moves]
 *
 * @typedef {object} Level
 * @property {number} level
 * @property {string} name
 * @property {string} agent
 * @property {number | null} elo
 * @property {number} [low]
 * @property {number} [high]
 *
 * @typedef {{spelling: string, title: string, help: string, budgets: string[]}} AgentOffer
 * @typedef {{value: unknown, meaning: string, type: string}} Parameter
 *
 * @typedef {object} GameOffer
 * @property {string} name
 * @property {string} spelling
 * @property {string} title
 * @property {string} about
 * @property {Record<string, Parameter>} parameters
 * @property {boolean} chance
 * @property {boolean} turns
 * @property {string} truth
 * @property {boolean} oracle
 * @property {string[]} variants
 * @property {Level[]} levels
 * @property {AgentOffer[]} agents
 * @property {string[]} players
 *
 * @typedef {{games: GameOffer[], puzzles: string[], version: string, limits: Record<string, number>}} Catalogue
 * @typedef {{line: Line, grade: number, to_keep: string}} Puzzle
 * @typedef {{right: boolean, best: number[], moves: Record<string, Exact>}} PuzzleAnswer
 * @typedef {{id: string, name: string, game: string, algorithm: string, steps: number, live: boolean,
 *   metrics: string[], damage?: string}} RunOffer
 * @typedef {{id: string, name: string, game: string, agents: string[]}} TournamentOffer
 * @typedef {{runs: RunOffer[], tournaments: TournamentOffer[], reports: {id: string, name: string}[]}} Shelf
 * @typedef {{step: number | null, game: string, agents: string[], winner: number | null, reason: string,
 *   plies: number, record: string}} RunGame
 */
export {};
