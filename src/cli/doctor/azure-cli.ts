import { shellWord } from './trust.ts';

const LOOPBACK = /^https:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/;

/**
 * Lines that set up the vendor's command line for this jar: trust in the CA at `path`, with one variable for its HTTP and one for its
 * WebSockets; an authority that it accepts without asking the vendor's own cloud; and a login without a browser. A jar on another machine
 * has its own password.
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
