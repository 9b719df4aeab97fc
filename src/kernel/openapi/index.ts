export { type DescribedApi, type OpenApiDocument, openapi } from './openapi.ts';
export { partOf } from './part.ts';
