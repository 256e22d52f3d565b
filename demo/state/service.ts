const { VITE_SERVICE_URL: url, VITE_SERVICE_KEY: key } = import.meta.env;

/** The service for office formats, when the app was started with one: `npm start -- --service`. */
export const serviceUrl: string | undefined = url || undefined;

/** The host of the service, as users read it. */
export const serviceHost = serviceUrl === undefined ? "" : new URL(serviceUrl).host;

/** The key of the service. */
export const serviceKey: string | undefined = key;
