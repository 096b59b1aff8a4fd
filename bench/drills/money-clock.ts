/** A clock that runs faster than the real one, so that a lease of a minute is over within seconds. All processes of a drill share it. */
export interface FastClock {
  /** Both in milliseconds since 1970: when it was started, and what it showed then. */
  startedAt: number;
  showed: number;
  speed: number;
}

export const timeOf = ({ startedAt, showed, speed }: FastClock) => new Date(showed + (Date.now() - startedAt) * speed);

/** The same clock at another speed from now on. */
export const atSpeed = (clock: FastClock, speed: number): FastClock => ({
  startedAt: Date.now(),
  showed: timeOf(clock).getTime(),
  speed,
});
