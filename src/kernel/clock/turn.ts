export { later, nextTurn, pause, processTime } from './timers.ts';
