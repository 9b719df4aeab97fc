/** Most jars never read or write a Parquet file, so the library for it is loaded with the first one. */
export const loadParquet = () => import('./parquet.ts');
