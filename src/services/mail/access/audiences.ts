/** The token audiences that mean mail and calendar. */
export const MAIL_AUDIENCES: readonly string[] = [
  'https://graph.vendor.example',
  'https://graph.microsoft.com',
  '00000003-0000-0000-c000-000000000000',
];
