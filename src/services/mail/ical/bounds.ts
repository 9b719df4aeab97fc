/** Bounds of a calendar in a mail. A real meeting stays far below them; they keep hostile input from costing time and memory. */
export const CALENDAR_BOUNDS = {
  /** Before decoding, including folds. */
  bytes: 1024 * 1024,
  lines: 100_000,
  /** Components of every kind, including nested ones. */
  components: 1_000,
  /** Attendees of one event. */
  attendees: 2_000,
  /** EXDATE and RDATE values of the whole object. */
  dates: 10_000,
  /** RRULE, ATTACH, COMMENT, CATEGORIES and location values of one event; further values are dropped. */
  valuesOfOneProperty: 100,
  /** Different TZIDs of one object; times in further zones count as floating. Resolving the zone of a VTIMEZONE takes milliseconds. */
  zones: 50,
  /** Characters of a UID. Exchange's longest UIDs have about 400. */
  uid: 1_000,
} as const;
