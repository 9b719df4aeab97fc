export { type Config, ConfigError } from './config.ts';
export { didYouMean, editDistance, suggestion, typosAllowed } from './did-you-mean.ts';
export { listenError } from './listen-error.ts';
