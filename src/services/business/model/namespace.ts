/** Of all types and actions in `$metadata`, and the start of an action's name in an address. */
export const NAMESPACE = 'Microsoft.NAV';

export const CONTAINER = 'NAV';
