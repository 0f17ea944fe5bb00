import { texts } from '../../texts/texts';

export const useOrganisationTexts = texts({
  en: {
    title: 'Organisations',
    about: 'An organisation has a bank, sessions and people of its own. You see those in which you are an operator.',
    list: 'Your organisations',
    create: 'Create an organisation',
    id: 'Number',
    id_help: 'Programs name the organisation by this number (organisation_id). It cannot be changed later.',
    yours: 'You become its operator, and can then invite people.',
    rename_of: 'Rename {0}',
    created: 'The organisation {0} is created.',
    renamed: 'The organisation is now called {0}.',
  },
  de: {
    title: 'Organisationen',
    about: 'Eine Organisation hat eine eigene Bank, eigene Sitzungen und Personen. Sie sehen jene, die Sie betreiben.',
    list: 'Ihre Organisationen',
    create: 'Organisation anlegen',
    id: 'Nummer',
    id_help:
      'Programme nennen die Organisation mit dieser Nummer (organisation_id). Sie lässt sich später nicht ändern.',
    yours: 'Sie bekommen die Rolle Betreiben und können dann Personen einladen.',
    rename_of: '{0} umbenennen',
    created: 'Die Organisation {0} ist angelegt.',
    renamed: 'Die Organisation heißt jetzt {0}.',
  },
});
