/** Parser of management bodies: declare a body with `bodyFields`, parse it with `readBody`. See docs/contributing/management-bodies.md. */
export type { DraftOf, Field, FieldOptions, ValueOf } from './field.ts';
export { bodyFields } from './fields.ts';
export { immutableChanges } from './immutable.ts';
export type { JsonObject } from './leaves.ts';
export { type MistakeKind, type MistakeOrder, Mistakes, MOST_DETAILS, throwAll } from './mistakes.ts';
export { withDeclaredNames } from './names.ts';
export type { Complaint, Place, Spot, VersionRules } from './place.ts';
export { BodyReading, type ReadOptions, readBody } from './read.ts';
export { canonicalId, idRule } from './resource-id.ts';
export { asJson, putSecrets, type Secret, takeSecrets } from './secrets.ts';
export { type Expected, gatewayWording, shown, type Wording } from './wording.ts';
export { findWord } from './words.ts';
