import { shellWord } from './trust.ts';

const LOOPBACK = /^https:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/;

/**
 * What makes a jar a cloud of the vendor's command line: trust in the CA at `path`, by one variable for its HTTP and one for its
 * WebSockets; an authority that it signs in to without a question to the vendor's own cloud; and a login that needs no browser. A jar on
 * another machine has a password of its own.
 */
export function azureCliLines(path: string, url: string): string[] {
  const ca = shellWord(path);
  return [
    `export REQUESTS_CA_BUNDLE=${ca}`,
    `export SSL_CERT_FILE=${ca}`,
    `az cloud register -n Cloudjar --endpoint-resource-manager ${url} --endpoint-active-directory ${url}/adfs`,
    'az cloud set -n Cloudjar',
    LOOPBACK.test(url) ? 'az login -u admin@vendor.example -p cloudjar' : 'az login --use-device-code',
  ];
}
