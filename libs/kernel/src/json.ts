/** JSON that is passed on as stored text and never parsed. */
export type JsonText = string;

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
