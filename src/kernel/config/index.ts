export { type Config, ConfigError } from './config.ts';
export { didYouMean, editDistance, slipsAllowed, suggestion } from './did-you-mean.ts';
export { listenError } from './listen-error.ts';
