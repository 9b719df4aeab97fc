/** The resource identifiers that mean "publishing of events" when a token is asked for. */
export const EVENT_AUDIENCES: readonly string[] = ['https://eventgrid.vendor.example', 'https://eventgrid.azure.net'];
