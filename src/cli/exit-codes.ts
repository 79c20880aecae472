/** What the process says when it ends; documented in the README. */
export const EXIT = {
  done: 0,
  /** Our own fault. */
  internal: 1,
  usage: 2,
  /** The snapshot is damaged or incomplete; what was read is kept and marked. */
  damaged: 3,
  /** Bad SQL or a bad report. */
  query: 4,
  /** Reading or writing failed: disk full, permission. Source: EX_IOERR of BSD's sysexits.h. */
  inputOutput: 74,
  /** Stopped by Ctrl-C: 128 + SIGINT, as shells say it. */
  interrupted: 130,
} as const;
