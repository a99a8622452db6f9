/** RTK Query client from the committed OpenAPI document: `npm run codegen`. The result is committed and never edited by hand. */
module.exports = {
  schemaFile: '../openapi/openapi.json',
  apiFile: './src/api/base-api.ts',
  apiImport: 'baseApi',
  outputFile: './src/api/endpoints.gen.ts',
  exportName: 'generatedApi',
  // Features call the hooks of the client: exported by name too, each would be in every visit's script.
  hooks: false,
  tag: true,
  encodePathParams: true,
  mergeReadWriteOnly: true,
  useUnknown: true,
  // A POST that only asks: its answer is cached and refetched like any query's.
  endpointOverrides: [
    {
      pattern: [
        'previewSend',
        'renderSend',
        'countSegment',
        'previewSenderProfile',
        'checkSend',
        'readRequirement',
        'composeRequirement',
      ],
      type: 'query',
    },
  ],
};
