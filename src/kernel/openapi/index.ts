export { type DescribedApi, type OpenApiDocument, openapi } from './openapi.ts';
export { partOf, selected } from './part.ts';
