/** A jar that listens on all addresses is reached from here by loopback. */
export const reachable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
