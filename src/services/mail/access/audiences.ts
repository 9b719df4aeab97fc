/** The resource identifiers that mean "mail and calendar" when a token is asked for. */
export const MAIL_AUDIENCES: readonly string[] = [
  'https://graph.vendor.example',
  'https://graph.microsoft.com',
  '00000003-0000-0000-c000-000000000000',
];
