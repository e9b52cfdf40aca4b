"""What all studies are made of: parts that are done once, questions over them, and a report."""
