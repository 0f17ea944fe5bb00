import { texts } from '../../../../texts/texts';
import { essayTools } from '../essay-tools';

export const useFormattedTexts = texts({
  en: {
    ...essayTools.en,
    formatting: 'Formatting',
    image: 'Picture: {0}',
    addRow: 'Add a row below',
    addColumn: 'Add a column after this one',
    deleteRow: 'Delete the row',
    deleteColumn: 'Delete the column',
    deleteTable: 'Delete the table',
  },
  de: {
    ...essayTools.de,
    formatting: 'Formatierung',
    image: 'Bild: {0}',
    addRow: 'Zeile darunter einfügen',
    addColumn: 'Spalte dahinter einfügen',
    deleteRow: 'Zeile löschen',
    deleteColumn: 'Spalte löschen',
    deleteTable: 'Tabelle löschen',
  },
});
