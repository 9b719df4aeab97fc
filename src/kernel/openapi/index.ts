export { openapi } from './openapi.ts';
