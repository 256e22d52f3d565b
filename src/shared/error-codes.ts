/** The codes of all errors, and the HTTP status that `client.fetch` and the service worker answer with. */
export const ERROR_STATUS = {
  missing_parameter: 400,
  invalid_parameter: 400,
  invalid_page_selection: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  input_too_large: 413,
  unsupported_input: 415,
  unsupported_conversion: 422,
  damaged_file: 422,
  password_required: 422,
  wrong_password: 422,
  not_encrypted: 422,
  already_encrypted: 422,
  unsupported_encryption: 422,
  rate_limited: 429,
  internal_error: 500,
  sealed_unavailable: 501,
  remote_not_configured: 501,
  remote_refused: 501,
  remote_failed: 502,
  converter_failed: 502,
  client_closed: 503,
  offline: 503,
  timeout: 504,
  out_of_memory: 507,
} as const;

/** A code of {@link ERROR_STATUS}. */
export type ErrorCode = keyof typeof ERROR_STATUS;
