# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true

Gem::Specification.new do |gem|
  gem.name = "mwrap"
  gem.version = "2.1.0.tracer"
  gem.summary = "which lines of a Ruby program call malloc"
  gem.description = "The interface of mwrap, on top of tracer-heap."
  gem.authors = ["The tracer developers"]
  gem.license = "LGPL-2.1-or-later"
  gem.files = Dir["bin/*", "ext/**/*.{c,rb}", "lib/**/*.rb"]
  gem.extensions = ["ext/mwrap/extconf.rb"]
  gem.executables = ["mwrap"]
  gem.required_ruby_version = ">= 3.0"
end
