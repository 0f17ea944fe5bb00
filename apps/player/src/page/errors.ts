/** The argument of a page's `errorListener`. */
export interface PageError {
  code: number;
  msg: string;
  detail: string;
}

export function pageError(code: number, msg: string, detail: unknown = ''): PageError {
  return { code, msg, detail: typeof detail === 'string' ? detail : JSON.stringify(detail) };
}
