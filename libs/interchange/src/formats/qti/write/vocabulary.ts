import { type Attributes, xmlElement, xmlText } from '../../xml-writing';

/* Code in this folder uses the names of QTI 2.x. A vocabulary converts them to the names of a version. */

/** The names of elements, namespaces and resources in a version of QTI. */
export interface Vocabulary {
  readonly version: '3.0' | '2.2';
  readonly namespace: string;
  readonly packaging: string;
  readonly schema: string;
  readonly schemaVersion: string;
  /** The prefix and the namespace of elements that HTML 5 added, where they have their own. */
  readonly html5?: { readonly prefix: string; readonly namespace: string };
  /** The resource type of an item, a test or a stimulus. */
  resourceType(kind: 'item' | 'test' | 'stimulus'): string;
  /** The address of a standard template of response processing. */
  template(name: string): string;
  /** An element of QTI. The content is XML. */
  element(name: string, attributes: Attributes, ...content: readonly string[]): string;
  /** The picture of a graphic interaction. */
  picture(source: string, alt: string, size: { width: number; height: number }): string;
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const QTI_3: Vocabulary = {
  version: '3.0',
  namespace: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
  packaging: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1',
  schema: 'QTI Package',
  schemaVersion: '3.0.0',
  resourceType: (kind) => `imsqti_${kind}_xmlv3p0`,
  template: (name) => `https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/${name}.xml`,
  element: (name, attributes, ...content) =>
    xmlElement(
      `qti-${kebab(name)}`,
      Object.fromEntries(Object.entries(attributes).map(([member, value]) => [kebab(member), value])),
      ...content,
    ),
  picture: (source, alt, { width, height }) => xmlElement('img', { src: source, alt, width, height }),
};

const PICTURES: Record<string, string> = { jpg: 'image/jpeg', svg: 'image/svg+xml' };

const pictureType = (source: string): string => {
  const extension = /\.([a-z]+)$/i.exec(source)?.[1]?.toLowerCase() ?? 'png';
  return PICTURES[extension] ?? `image/${extension}`;
};

export const QTI_2: Vocabulary = {
  version: '2.2',
  namespace: 'http://www.imsglobal.org/xsd/imsqti_v2p2',
  packaging: 'http://www.imsglobal.org/xsd/imscp_v1p1',
  schema: 'QTIv2.2 Package',
  schemaVersion: '1.0.0',
  html5: { prefix: 'qh5', namespace: 'http://www.imsglobal.org/xsd/imsqtiv2p2_html5_v1p0' },
  resourceType: (kind) => `imsqti_${kind}_xmlv2p2`,
  template: (name) => `http://www.imsglobal.org/question/qti_v2p2/rptemplates/${name}`,
  element: xmlElement,
  picture: (source, alt, { width, height }) =>
    xmlElement('object', { data: source, type: pictureType(source), width, height }, xmlText(alt)),
};
