/** The resource identifiers that mean "the translator" when a token is asked for. */
export const TRANSLATOR_AUDIENCES: readonly string[] = [
  'https://cognitiveservices.vendor.example',
  'https://cognitiveservices.azure.com',
];
