export { readThrough } from '../store/read-through.ts';
