// @ts-check
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import tls from 'node:tls';

const MAX_REDIRECTS = 5;

/**
 * How this machine reaches others.
 * @typedef {object} Network
 * @property {(url: URL) => URL | undefined} proxyFor
 * @property {(url: URL) => string | undefined} authorizationFor
 * @property {import('node:tls').ConnectionOptions} tls
 * @property {number} stallMs A connection without a byte for this long counts as broken.
 *
 * @typedef {Record<string, string>} Headers
 */

/** The server answered, with a status that is neither a success nor a redirect. */
export class HttpStatusError extends Error {
  /**
   * @param {http.IncomingMessage} response
   * @param {URL} url
   */
  constructor(response, url) {
    const { statusCode = 0, statusMessage = '' } = response;
    super(`${url.host} answered ${statusCode} ${statusMessage}`.trimEnd());
    this.name = 'HttpStatusError';
    this.status = statusCode;
    this.headers = response.headers;
  }
}

/**
 * GETs `url` through the right proxy, follows redirects, and leaves the body unread.
 *
 * @param {URL} url
 * @param {Headers} headers
 * @param {Network} network
 * @returns {Promise<http.IncomingMessage>} with status 200 or 206.
 * @throws {HttpStatusError} for other statuses; system errors when the connection fails.
 */
export async function get(url, headers, network) {
  let target = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(target, headers, network);
    const { statusCode = 0 } = response;
    if (statusCode === 200 || statusCode === 206) return response;
    response.resume();
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) {
      throw new HttpStatusError(response, target);
    }
    target = new URL(location, target);
  }
  throw new Error(`${url.host} redirects in a circle`);
}

/**
 * GETs a small JSON document.
 *
 * @param {URL} url
 * @param {Network} network
 * @returns {Promise<unknown>}
 */
export async function getJson(url, network) {
  const response = await get(url, { accept: 'application/json' }, network);
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new Error(`${url.host} answered ${url.pathname} with something that is not JSON`, {
      cause,
    });
  }
}

/**
 * @param {URL} url
 * @param {Headers} headers
 * @param {Network} network
 * @returns {Promise<http.IncomingMessage>}
 */
async function send(url, headers, network) {
  // Chosen anew for each hop, so that a redirect to another host never carries this host's credentials.
  const authorization = network.authorizationFor(url);
  const allHeaders = {
    'user-agent': 'sidetone-setup',
    'accept-encoding': 'identity',
    ...headers,
    ...(authorization === undefined ? {} : { authorization }),
  };
  const proxy = network.proxyFor(url);
  if (proxy === undefined) {
    const options = { agent: false, headers: allHeaders };
    return url.protocol === 'https:'
      ? responseOf(https.request(url, { ...options, ...network.tls }), network)
      : responseOf(http.request(url, options), network);
  }
  if (url.protocol === 'https:') {
    const socket = await tunnel(proxy, url, network);
    // An address is checked against the certificate like a name, but is never sent as one (RFC 6066 §3).
    const name = isIP(url.hostname) ? {} : { servername: url.hostname };
    const createConnection = () =>
      tls.connect({ ...network.tls, ...name, host: url.hostname, socket });
    return responseOf(https.request(url, { headers: allHeaders, createConnection }), network);
  }
  const relayed = { ...allHeaders, host: url.host, ...proxyCredentials(proxy) };
  return responseOf(requestToProxy(proxy, 'GET', url.href, relayed, network), network);
}

/**
 * Opens a tunnel to `url` with the proxy's CONNECT (RFC 9110 §9.3.6).
 * @param {URL} proxy
 * @param {URL} url
 * @param {Network} network
 * @returns {Promise<import('node:net').Socket>}
 */
function tunnel(proxy, url, network) {
  const target = `${url.hostname}:${url.port || 443}`;
  const headers = { host: target, ...proxyCredentials(proxy) };
  const request = requestToProxy(proxy, 'CONNECT', target, headers, network);
  return new Promise((resolve, reject) => {
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        new Error(
          `the proxy ${proxy.host} refused the tunnel to ${target}: ${response.statusCode}`,
        ),
      );
    });
    request.on('error', (cause) => reject(unreachable(proxy, cause)));
    request.setTimeout(network.stallMs, () => request.destroy(stalled(network.stallMs)));
    request.end();
  });
}

/**
 * @param {URL} proxy
 * @param {string} method
 * @param {string} path
 * @param {Headers} headers
 * @param {Network} network
 */
function requestToProxy(proxy, method, path, headers, network) {
  const secure = proxy.protocol === 'https:';
  const port = proxy.port || (secure ? 443 : 80);
  const options = {
    host: proxy.hostname,
    port,
    method,
    path,
    headers,
    agent: false,
  };
  return secure ? https.request({ ...network.tls, ...options }) : http.request(options);
}

/**
 * @param {URL} proxy
 * @returns {Headers}
 */
function proxyCredentials({ username, password }) {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}`,
  };
}

/**
 * @param {http.ClientRequest} request
 * @param {Network} network
 * @returns {Promise<http.IncomingMessage>}
 */
function responseOf(request, network) {
  return new Promise((resolve, reject) => {
    /** @type {http.IncomingMessage | undefined} */
    let body;
    request.on('response', (response) => {
      body = response;
      resolve(response);
    });
    request.on('error', reject);
    request.setTimeout(network.stallMs, () => {
      const error = stalled(network.stallMs);
      // Once the response runs, its reader must see this reason rather than a bare "aborted".
      body?.destroy(error);
      request.destroy(error);
    });
    request.end();
  });
}

/** @param {number} stallMs */
function stalled(stallMs) {
  return Object.assign(new Error(`no data for ${stallMs / 1000} s`), {
    code: 'ETIMEDOUT',
  });
}

/**
 * @param {URL} proxy
 * @param {NodeJS.ErrnoException} cause
 */
function unreachable(proxy, cause) {
  const error = new Error(`the proxy ${proxy.host} cannot be reached: ${cause.message}`, { cause });
  return cause.code === undefined ? error : Object.assign(error, { code: cause.code });
}
