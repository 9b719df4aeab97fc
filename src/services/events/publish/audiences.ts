/** Audiences of tokens for publishing events. */
export const EVENT_AUDIENCES: readonly string[] = ['https://eventgrid.vendor.example', 'https://eventgrid.azure.net'];
