export { addressClassOf, isLocalhostName } from './addresses.ts';
export { Calls } from './calls.ts';
export { BadConnectionString, connectionStringParts } from './connection-string.ts';
export { OutboundError } from './errors.ts';
