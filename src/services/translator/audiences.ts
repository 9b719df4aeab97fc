/** Audiences of tokens for the translator. */
export const TRANSLATOR_AUDIENCES: readonly string[] = [
  'https://cognitiveservices.vendor.example',
  'https://cognitiveservices.azure.com',
];
