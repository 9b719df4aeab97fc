/** What a calendar in a mail may hold at most. A meeting has a handful of each; the numbers only keep hostile input from costing time and memory. */
export const CALENDAR_BOUNDS = {
  /** Before decoding, folds included. */
  bytes: 1024 * 1024,
  lines: 100_000,
  /** Of every kind, nested ones included. */
  components: 1_000,
  /** Of one event. */
  attendees: 2_000,
  /** EXDATE and RDATE values of the whole object. */
  dates: 10_000,
  /** RRULE, ATTACH, COMMENT, CATEGORIES and location values of one event; those beyond are dropped. */
  valuesOfOneProperty: 100,
  /** Different TZIDs of one object; times in further ones count as floating. Finding the zone of a VTIMEZONE takes milliseconds. */
  zones: 50,
  /** Characters of a UID. Exchange's longest are some 400. */
  uid: 1_000,
} as const;
