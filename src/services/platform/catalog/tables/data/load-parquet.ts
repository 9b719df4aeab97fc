/** Most jars never read or write a Parquet file, so the library is loaded on first use. */
export const loadParquet = () => import('./parquet.ts');
