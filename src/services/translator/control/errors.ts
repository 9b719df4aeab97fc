import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the control routes of subscription keys. */
export const keyErrors = errorTable({
  NoSuchKey: [404, "The translator has no key with the name '{name}'."],
  BadKeyName: [
    400,
    "'{name}' cannot be the name of a key: it has 1 to 64 letters, digits, '.', '_' and '-', and begins with a letter or a digit.",
  ],
  KeyConfigured: [409, "The key '{name}' is set in the configuration of the jar, and can only be changed there."],
  KeyTaken: [409, "Another key of the translator has the same secret: '{other}'."],
  TooManyKeys: [409, 'The translator has {maximum} keys, which is the maximum.'],
});
