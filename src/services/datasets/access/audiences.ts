/** The resource identifiers that mean "the analytics service" when a token is asked for. */
export const ANALYTICS_AUDIENCES: readonly string[] = [
  'https://analysis.vendor.example/powerbi/api',
  'https://analysis.windows.net/powerbi/api',
];
