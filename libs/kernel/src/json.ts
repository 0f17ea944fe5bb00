/** JSON that is passed on as the text it is stored as, never parsed. */
export type JsonText = string;

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
