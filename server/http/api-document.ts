/** A JSON Schema, as far as descriptions of the API have it. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  items?: JsonSchema
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  description?: string
  [limit: string]: unknown
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: JsonSchema
}

export interface Operation {
  tags?: string[]
  summary?: string
  description?: string
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema }> }
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema?: JsonSchema }> }
  >
}

/** An OpenAPI document, as far as it is built here. */
export interface ApiDocument {
  servers?: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; [other: string]: object }
}
