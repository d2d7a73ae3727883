//! All that is outside heads: places, network, travel, encounters, mail.
