/** Namespace of all types and actions in `$metadata`; also the prefix of action names in addresses. */
export const NAMESPACE = 'Microsoft.NAV';

export const CONTAINER = 'NAV';
