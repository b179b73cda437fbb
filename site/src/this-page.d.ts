// What only the cell with a key can import: its types, for whoever checks the page's programs.
declare module 'this-page' {
  import type { EndpointModule } from './endpoint-module.ts'

  export const endpoint: EndpointModule['endpoint']
  export const modelName: EndpointModule['modelName']
}
