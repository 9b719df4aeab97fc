/** Milliseconds since 1970 that UTC would show if its clocks read this wall-clock time. */
export type Wall = number;

/** An IANA name such as `Europe/Berlin`, `UTC`, or a custom zone in a self-contained text form. */
export type ZoneName = string;

export interface ZonedTime {
  readonly wall: Wall;
  readonly zone: ZoneName;
}
