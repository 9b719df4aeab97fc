/** The resource identifiers (audiences) that identify the analytics service in a token request. */
export const ANALYTICS_AUDIENCES: readonly string[] = [
  'https://analysis.vendor.example/powerbi/api',
  'https://analysis.windows.net/powerbi/api',
];
